"""Clocks: objects with `now()`, in seconds from an arbitrary start."""

import os
import time
from functools import lru_cache

from cachetools import TTLCache


class SteadyClock:
    """The machine's monotonic clock; unmoved by corrections of the date."""

    def now(self) -> float:
        return time.monotonic()


class ManualClock:
    """A clock that moves only when told to."""

    def __init__(self, start: float = 0.0) -> None:
        self._now = start

    def now(self) -> float:
        return self._now

    def advance(self, seconds: float) -> None:
        """Move forward. Raises ValueError for a negative step."""
        if seconds < 0:
            raise ValueError(f"a clock cannot go back by {-seconds} s")
        self._now += seconds


def pick_clock():
    """A fresh clock of the kind that the variable LOOKUP_CLOCK names, steady by default."""
    kind = os.environ.get("LOOKUP_CLOCK", "steady")
    return ManualClock() if kind == "manual" else SteadyClock()


@lru_cache(maxsize=1)
def process_clock():
    """The same clock for everybody in this process."""
    return pick_clock()


def clocked(*, maxsize: int, ttl: float, clock) -> TTLCache:
    """An empty cache whose entries live `ttl` seconds of `clock`."""
    return TTLCache(maxsize, ttl, timer=clock.now)
