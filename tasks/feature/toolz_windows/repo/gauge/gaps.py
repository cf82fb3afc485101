"""Readings that never came."""

from gauge.feed import A_DAY, STEP, Reading


def gaps(readings: list[Reading]) -> list[int]:
    """Minutes after which a reading is missing; only the first minute of the day for now."""
    return [] if len(readings) == A_DAY else [readings[0].at]


def is_late(reading: Reading, now: int) -> bool:
    """True where the next reading should have come."""
    return now - reading.at > STEP
