"""How urgent a job is: its own level, raised by the time it has waited."""

from datetime import datetime

from rota.model import Job

RAISE_EVERY_MIN = 120
TOP = 0


def waited_min(job: Job, now: datetime) -> int:
    """Whole minutes since the job was first due; 0 where it is not due yet."""
    return max(0, int((now - job.run_at).total_seconds() // 60))


def effective_level(job: Job, now: datetime) -> int:
    """The level by which the job competes now; waiting raises it one step at a time."""
    return max(TOP, job.level - waited_min(job, now) // RAISE_EVERY_MIN)


def ranked(jobs: list[Job], now: datetime) -> list[Job]:
    """The jobs in the order in which they should run; equal levels keep their order in time."""
    return sorted(jobs, key=lambda job: (effective_level(job, now), job.run_at, job.name))
