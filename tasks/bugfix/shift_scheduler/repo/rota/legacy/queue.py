"""Replay of archived job lists: what an old night run would have taken."""

from datetime import datetime


class JobQueue:
    """Archived jobs as (run_at, name), sorted once."""

    def __init__(self, jobs: list[tuple[datetime, str]]) -> None:
        self._jobs = sorted(jobs)

    def pop_due(self, now: datetime) -> list[str]:
        """The names that the old run would have taken out before this moment."""
        due: list[str] = []
        while self._jobs and self._jobs[0][0] < now:
            due.append(self._jobs.pop(0)[1])
        return due
