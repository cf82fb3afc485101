"""How fast the water rises."""

from itertools import pairwise

from gauge.feed import Reading

AN_HOUR = 6
FAST = 18


def rises(readings: list[Reading]) -> list[int]:
    """Centimetres, negative where the water falls; only from one reading to the next."""
    levels = [reading.level for reading in readings]
    return [later - sooner for sooner, later in pairwise(levels)]


def is_fast(readings: list[Reading]) -> bool:
    """True where the water rose by FAST or more at a time."""
    return max(rises(readings)) >= FAST
