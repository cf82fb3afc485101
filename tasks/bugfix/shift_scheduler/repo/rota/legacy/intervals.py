"""Intervals as rosters before 0.7 meant them: the last minute is part of the stretch."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, order=True)
class Interval:
    """A stretch of time of an archived roster, both ends included."""

    start: datetime
    end: datetime

    def length(self) -> int:
        """Minutes of the stretch, the last one counted."""
        return int((self.end - self.start).total_seconds() // 60) + 1

    def overlaps(self, other: "Interval") -> bool:
        """Whether the two stretches share any minute."""
        return self.start <= other.end and other.start <= self.end
