"""Gates of the weir."""

from gauge.feed import Reading

HALF_AN_HOUR = 3


def openings(readings: list[Reading]) -> list[int]:
    """Percent open; for now at the first and the last reading."""
    return [readings[0].gate, readings[-1].gate]


def widest(readings: list[Reading]) -> int:
    """The widest opening in percent."""
    return max(openings(readings))
