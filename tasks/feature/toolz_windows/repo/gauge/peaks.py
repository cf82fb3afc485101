"""Crests of floods."""

from gauge.feed import Reading

FLOOD = 140


def crests(readings: list[Reading]) -> list[int]:
    """Minutes of the crests at flood level; for now the highest reading of the day alone."""
    highest = max(readings, key=lambda reading: reading.level)
    return [highest.at] if highest.level >= FLOOD else []


def is_flood(readings: list[Reading]) -> bool:
    """True where there was a crest."""
    return bool(crests(readings))
