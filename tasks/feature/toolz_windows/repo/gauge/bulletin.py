"""The bulletin for the villages downstream."""

from gauge.feed import Reading, clock

TWO_HOURS = 12


def line(readings: list[Reading]) -> str:
    """One line about some readings: from when, lowest and highest level."""
    levels = [reading.level for reading in readings]
    return f"{clock(readings[0].at)} {min(levels)} to {max(levels)} cm"


def bulletin(readings: list[Reading]) -> list[str]:
    """One line for the whole day."""
    return [line(readings)]
