"""The level without the waves of passing ships."""

from gauge.feed import Reading

AN_HOUR = 6


def smoothed(readings: list[Reading]) -> list[int]:
    """Centimetres. Passing ships still show: the levels are given as measured."""
    return [reading.level for reading in readings]


def calm(readings: list[Reading]) -> int:
    """The lowest smoothed level of the day."""
    return min(smoothed(readings))
