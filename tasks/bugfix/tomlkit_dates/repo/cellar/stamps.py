"""Readings of three thermometers, each of which has its own idea of an offset."""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

Reading = Mapping[str, Any]


def in_order(readings: Iterable[Reading]) -> list[Reading]:
    """Readings from the first to the last."""
    return sorted(readings, key=lambda reading: str(reading["at"]))


def latest(readings: Iterable[Reading]) -> Reading:
    """The reading that was taken last."""
    return in_order(readings)[-1]


def longest_gap(readings: Iterable[Reading]) -> float:
    """Hours of the longest silence between two readings."""
    ordered = in_order(readings)
    return max((b["at"] - a["at"]).total_seconds() / 3600 for a, b in pairwise(ordered))
