"""Departures of the freight shuttles, good for five minutes."""

import time

from cachetools.func import ttl_cache

from lookup.base import Service


def to_minutes(text: str) -> int:
    """Minutes since midnight of "hh:mm". Raises ValueError for anything else."""
    hours, _, minutes = text.partition(":")
    total = int(hours) * 60 + int(minutes)
    if not 0 <= total < 24 * 60:
        raise ValueError(f"expected a time of day, found {text!r}")
    return total


class Timetable(Service):
    """The feed's rows are lists of "hh:mm" by stop."""

    def __init__(self, feed, clock=None) -> None:
        super().__init__(feed, clock)
        self.departures = ttl_cache(maxsize=64, ttl=300, timer=time.time)(self._departures)

    def _departures(self, stop: str) -> tuple[int, ...]:
        return tuple(sorted(to_minutes(text) for text in self.feed.fetch(stop)))

    def next_after(self, stop: str, at: str) -> int | None:
        """First departure at or after a time of day, in minutes; None after the last one."""
        start = to_minutes(at)
        return next((minute for minute in self.departures(stop) if minute >= start), None)
