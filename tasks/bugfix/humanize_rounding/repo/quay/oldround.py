"""Cutting numbers the way the first board did. Kept for the export until the end of the month."""

from __future__ import annotations


def chop(value: float, digits: int) -> float:
    """The value without what follows its first `digits` decimals."""
    scale = 10**digits
    return int(value * scale) / scale
