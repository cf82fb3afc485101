"""Berths of the quay: from which metre mark to which."""

from __future__ import annotations

import math
from itertools import pairwise

MARKS = (0.0, 188.0, 340.0, 468.0, 640.0)


def berth_of(bow: float) -> int:
    """Number of the berth in which a bow lies; 0 where it is beyond the last mark."""
    for number, (low, high) in enumerate(pairwise(MARKS), 1):
        if low <= bow < high:
            return number
    return 0


def metre(mark: float) -> int:
    """The whole metre at or below a mark."""
    return math.floor(mark)
