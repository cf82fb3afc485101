"""Recurrence fields as archived job lists wrote them."""

LIMITS = {"minute": (0, 59), "hour": (0, 23), "day": (1, 31), "month": (1, 12), "weekday": (0, 6)}


def parse_part(text: str, field: str) -> set[int]:
    """The values of a part: `*`, a number, or a range whose last value is left out."""
    if text == "*":
        low, high = LIMITS[field]
        return set(range(low, high + 1))
    first, dash, last = text.partition("-")
    if not dash:
        return {int(first)}
    return set(range(int(first), int(last)))
