"""Telegrams to the river authority."""

from gauge.feed import Reading, clock

A_TELEGRAM = 8


def telegrams(readings: list[Reading]) -> list[str]:
    """Levels with the time of the first; everything in one long telegram."""
    levels = "/".join(str(reading.level) for reading in readings)
    return [f"{clock(readings[0].at)} {levels}"]


def size(readings: list[Reading]) -> int:
    """Characters to be sent."""
    return sum(map(len, telegrams(readings)))
