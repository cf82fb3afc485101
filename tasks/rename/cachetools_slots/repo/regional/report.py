"""The platform's monthly report."""

PREFIX = "opening/3"


def opening_counts(days: list[tuple[int, int]]) -> tuple[int, int]:
    """Places held, and places in all, over the days of a month."""
    return sum(held for held, _ in days), sum(total for _, total in days)


def title(house: str, month: str) -> str:
    return f"{PREFIX} {house} {month}"
