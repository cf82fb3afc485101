"""Jobs waiting for their time."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from datetime import datetime, timedelta

from rota import RotaError
from rota.cron import CronRule
from rota.intervals import Interval
from rota.model import Job
from rota.priorities import ranked

RUN_TIME = timedelta(minutes=20)


class JobQueue:
    """A heap of jobs by the moment at which they are due."""

    def __init__(self, jobs: Iterable[Job] = ()) -> None:
        self._heap: list[Job] = []
        for job in jobs:
            self.push(job)

    def __len__(self) -> int:
        return len(self._heap)

    def push(self, job: Job) -> None:
        """Add a job; its moment must carry an offset."""
        if job.run_at.tzinfo is None:
            raise RotaError(f"{job.name}: run_at needs an offset")
        heapq.heappush(self._heap, job)

    def push_rule(self, name: str, rule: CronRule, after: datetime, level: int = 5) -> Job:
        """Add the next run of a recurring job."""
        job = Job(run_at=rule.next_after(after), level=level, name=name)
        self.push(job)
        return job

    def peek(self) -> Job | None:
        """The job that is due first, left where it is."""
        return self._heap[0] if self._heap else None

    def pop_due(self, now: datetime) -> list[Job]:
        """Take out every job that is due, the most urgent first."""
        due: list[Job] = []
        while self._heap and self._heap[0].run_at <= now:
            job = heapq.heappop(self._heap)
            job.late_min = (now - job.run_at) // timedelta(minutes=1)
            due.append(job)
        return ranked(due, now)

    def waiting(self) -> list[Job]:
        """The jobs in the order in which they fall due, left where they are."""
        return sorted(self._heap)


def busy_stretches(waiting: JobQueue, run_time: timedelta = RUN_TIME) -> list[Interval]:
    """The stretches in which the machine is expected to be busy, one job after another."""
    stretches: list[Interval] = []
    for job in waiting.waiting():
        start = max(job.run_at, stretches[-1].end) if stretches else job.run_at
        stretches.append(Interval(start, start + run_time))
    return stretches


def idle_at(waiting: JobQueue, moment: datetime) -> bool:
    """Whether the machine is expected to have nothing to do at the moment."""
    return not any(busy.contains(moment) for busy in busy_stretches(waiting))
