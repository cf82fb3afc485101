"""Jobs that wait for their time, and where they are kept between two runs of the scheduler."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from rota import RotaError
from rota.clock import format_stamp
from rota.model import Job
from rota.rosters import read_stamp
from rota.storage import load_table, save_table


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

    def pop_due(self, now: datetime) -> list[Job]:
        """Take out every job that is due, the one with the lowest level first."""
        due: list[Job] = []
        while self._heap and self._heap[0].run_at <= now:
            due.append(heapq.heappop(self._heap))
        return sorted(due, key=lambda job: (job.level, job.run_at, job.name))

    def waiting(self) -> list[Job]:
        """The jobs in the order in which they fall due, left where they are."""
        return sorted(self._heap)


def load_jobs(path: Path) -> JobQueue:
    """The jobs of a plan."""
    return JobQueue(
        Job(read_stamp(record["run_at"]), record["level"], record["name"])
        for record in load_table(path, "jobs")
    )


def save_jobs(path: Path, queue: JobQueue) -> None:
    """Replace the jobs of a plan."""
    records = [
        {"run_at": format_stamp(job.run_at), "level": job.level, "name": job.name}
        for job in queue.waiting()
    ]
    save_table(path, "jobs", records)
