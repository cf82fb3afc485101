"""Rain in the bucket, tenths of millimetres."""

from toolz import sliding_window

from gauge.feed import Reading

THREE_HOURS = 18
SIX_HOURS = 36


def three_hours(readings: list[Reading]) -> list[int]:
    """Sum over the last three hours, at each reading that has as many behind it."""
    drops = [reading.rain for reading in readings]
    return [sum(span) for span in sliding_window(THREE_HOURS, drops)]


def quarter_days(readings: list[Reading]) -> list[int]:
    """Sum of each quarter of the day; for now one sum over everything."""
    return [sum(reading.rain for reading in readings)]


def is_shower(readings: list[Reading]) -> bool:
    """True where more than ten millimetres fell in three hours."""
    return max(three_hours(readings)) > 100
