"""The two things that are scheduled: shifts of people and jobs of machines."""

from dataclasses import dataclass, field
from datetime import datetime

from rota.intervals import Interval


@dataclass(frozen=True)
class Shift:
    """One person at work for some time."""

    employee: str
    interval: Interval
    role: str = "floor"

    @property
    def start(self) -> datetime:
        return self.interval.start

    @property
    def end(self) -> datetime:
        return self.interval.end


@dataclass(order=True)
class Job:
    """A job that is run once, at `run_at` or as soon after it as somebody looks.

    `level` is 0 for the most urgent. `late_min` is set when the job is taken from the queue.
    """

    run_at: datetime
    level: int
    name: str = field(compare=False)
    late_min: int = field(default=0, compare=False)
