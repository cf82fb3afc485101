"""The time of day, in one place."""

from __future__ import annotations

import time


def ticks() -> int:
    """Whole seconds since the epoch."""
    return time.time_ns() // 1_000_000_000
