"""Intervals of time and the arithmetic on them. Lengths are whole minutes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from rota import RotaError


@dataclass(frozen=True, order=True)
class Interval:
    """The time from `start` up to, but not including, `end`."""

    start: datetime
    end: datetime

    def __post_init__(self) -> None:
        if self.start.tzinfo is None or self.end.tzinfo is None:
            raise RotaError("an interval needs moments with an offset")
        if self.end < self.start:
            raise RotaError(f"an interval cannot run backwards: {self.start} to {self.end}")

    def length_min(self) -> int:
        """Whole minutes from start to end."""
        return int((self.end - self.start).total_seconds() // 60)

    def contains(self, moment: datetime) -> bool:
        """Whether the moment lies inside."""
        return self.start <= moment < self.end

    def overlaps(self, other: Interval) -> bool:
        """Whether the two have any time in common."""
        return self.start < other.end and other.start < self.end

    def gap_min(self, later: Interval) -> int:
        """Whole minutes between the end of this one and the start of a later one."""
        return int((later.start - self.end).total_seconds() // 60)

    def moved(self, by: timedelta) -> Interval:
        """The same length of time, earlier or later."""
        return Interval(self.start + by, self.end + by)

    def cut(self, moment: datetime) -> tuple[Interval, Interval]:
        """The parts before and after a moment inside."""
        if not self.contains(moment):
            raise RotaError(f"{moment} is not inside {self.start} to {self.end}")
        return Interval(self.start, moment), Interval(moment, self.end)


def from_minutes(start: datetime, minutes: int) -> Interval:
    """The interval of that many minutes from a moment on."""
    if minutes < 0:
        raise RotaError(f"expected a number of minutes from 0 up, found {minutes}")
    return Interval(start, start + timedelta(minutes=minutes))


def slices(whole: Interval, every: timedelta) -> Iterator[Interval]:
    """The whole in slices of one size, the last one as long as what remains."""
    if every <= timedelta(0):
        raise RotaError(f"a slice needs some length, found {every}")
    cursor = whole.start
    while cursor < whole.end:
        yield Interval(cursor, min(cursor + every, whole.end))
        cursor += every


def merge_stretches(stretches: Iterable[Interval]) -> list[Interval]:
    """The same time in as few stretches as possible; touching ones are joined."""
    out: list[Interval] = []
    for stretch in sorted(stretches):
        if out and stretch.start <= out[-1].end:
            out[-1] = Interval(out[-1].start, max(out[-1].end, stretch.end))
        else:
            out.append(stretch)
    return out


def total_min(parts: Iterable[Interval]) -> int:
    """Minutes covered by at least one of the parts."""
    return sum(part.length_min() for part in merge_stretches(parts))
