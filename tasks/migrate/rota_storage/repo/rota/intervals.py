"""Stretches of time and the arithmetic on them. Lengths are whole minutes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from rota import RotaError


@dataclass(frozen=True, order=True)
class Interval:
    """A stretch of time from `start` up to `end`."""

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
        """Whether the moment lies in the stretch."""
        return self.start <= moment < self.end

    def overlaps(self, other: Interval) -> bool:
        """Whether the two stretches share any time."""
        return self.start < other.end and other.start < self.end

    def gap_min(self, later: Interval) -> int:
        """Whole minutes between the end of this stretch and the start of a later one."""
        return int((later.start - self.end).total_seconds() // 60)

    def cut(self, moment: datetime) -> tuple[Interval, Interval]:
        """The parts before and after a moment inside the stretch."""
        if not self.contains(moment):
            raise RotaError(f"{moment} is not inside {self.start} to {self.end}")
        return Interval(self.start, moment), Interval(moment, self.end)


def merged(stretches: Iterable[Interval]) -> list[Interval]:
    """The same time with as few stretches as possible; touching ones are joined."""
    out: list[Interval] = []
    for stretch in sorted(stretches):
        if out and stretch.start <= out[-1].end:
            out[-1] = Interval(out[-1].start, max(out[-1].end, stretch.end))
        else:
            out.append(stretch)
    return out


def total_min(stretches: Iterable[Interval]) -> int:
    """Minutes covered by at least one of the stretches."""
    return sum(stretch.length_min() for stretch in merged(stretches))
