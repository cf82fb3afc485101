"""One case for each defect that customers have met, so that it stays away."""

from datetime import datetime, timedelta, timezone

from rota import conflicts, queue, reporting, storage
from rota.intervals import Interval
from rota.model import Job, Shift

UTC = timezone.utc
HOUR = timedelta(hours=1)


def shift(employee: str, start: datetime, hours: float) -> Shift:
    return Shift(employee, Interval(start, start + hours * HOUR))


# --- queue and rest ---


# --- rosters and daily totals ---


# --- older ---


def test_r317_drop_keeps_the_heap_in_order():
    base = datetime(2025, 1, 6, 0, 0, tzinfo=UTC)
    waiting = queue.JobQueue(Job(base + n * HOUR, 5, f"job{n}") for n in (3, 1, 2))
    assert waiting.drop("job1") == 1
    assert waiting.peek().name == "job2"


def test_r322_people_are_told_apart():
    base = datetime(2025, 1, 6, 0, 0, tzinfo=UTC)
    assert conflicts.find_conflicts([shift("lin", base, 8), shift("mei", base, 8)]) == []


def test_r330_role_survives_the_file(tmp_path):
    target = tmp_path / "roster.json"
    base = datetime(2025, 1, 6, 0, 0, tzinfo=UTC)
    storage.save_roster(target, [Shift("lin", Interval(base, base + HOUR), "desk")])
    assert storage.load_roster(target)[0].role == "desk"
    assert reporting.hours_text(60) == "1:00"
