"""What is planned: shifts and absences of people, swaps between them, jobs of machines."""

from dataclasses import dataclass, field
from datetime import date, datetime

from rota.intervals import Interval


@dataclass(frozen=True)
class Shift:
    """One person at work for one stretch of time."""

    employee: str
    interval: Interval
    role: str = "floor"

    @property
    def start(self) -> datetime:
        return self.interval.start

    @property
    def end(self) -> datetime:
        return self.interval.end


@dataclass(frozen=True)
class Swap:
    """Two people who give each other the shifts of one day."""

    day: date
    giver: str
    taker: str
    agreed: bool = False


@dataclass(frozen=True)
class Absence:
    """Somebody away from the first day to the last, both included."""

    employee: str
    first: date
    last: date


@dataclass(order=True)
class Job:
    """A job that is run once, at `run_at` or as soon after it as somebody looks."""

    run_at: datetime
    level: int
    name: str = field(compare=False)
