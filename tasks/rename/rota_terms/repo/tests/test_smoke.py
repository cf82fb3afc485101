"""A quick look at every module, through what its users call."""

from datetime import date, datetime, timedelta, timezone
from pathlib import Path

from rota import calendar_month, cli, conflicts, coverage, cron, queue, reporting, storage, terms
from rota.intervals import Interval, total_min
from rota.model import Job, Shift

NOON = datetime(2025, 3, 3, 4, 0, tzinfo=timezone.utc)
HOUR = timedelta(hours=1)
WEEK = Path(__file__).resolve().parent.parent / "samples" / "week.json"


def test_lengths_are_added_once():
    parts = [Interval(NOON, NOON + 2 * HOUR), Interval(NOON + HOUR, NOON + 3 * HOUR)]
    assert total_min(parts) == 180


def test_shift_is_reported():
    totals = reporting.daily_totals([Shift("lin", Interval(NOON, NOON + HOUR))])
    assert list(totals.values()) == [60]
    assert reporting.hours_text(425) == "7:05"


def test_nested_shifts_conflict():
    outer = Shift("lin", Interval(NOON, NOON + 3 * HOUR))
    inner = Shift("lin", Interval(NOON + HOUR, NOON + 2 * HOUR))
    assert [c.kind for c in conflicts.find_conflicts([inner, outer])] == ["overlap"]


def test_jobs_run_one_after_another():
    waiting = queue.JobQueue([Job(NOON, 3, "backup"), Job(NOON + HOUR / 6, 3, "mail")])
    assert not queue.idle_at(waiting, NOON + HOUR / 2)
    assert queue.idle_at(waiting, NOON + HOUR)
    assert [job.name for job in waiting.pop_due(NOON)] == ["backup"]


def test_rule_fires_every_quarter():
    rule = cron.CronRule.parse("*/15 * * * *")
    assert rule.next_after(NOON) == NOON + timedelta(minutes=15)


def test_month_and_empty_hours():
    shifts = storage.load_roster(WEEK)
    assert calendar_month.month_lines(shifts, 2025, 3)[0] == "lin  ..DD.D" + "." * 25
    assert coverage.empty_lines(shifts, date(2025, 3, 3)) == [
        "2025-03-03T00:00+08:00 to 2025-03-03T14:00+08:00"
    ]
    assert coverage.staffed_share(shifts, date(2025, 3, 4)) == 23 / 24


def test_command_line(capsys):
    assert cli.main(["terms"]) == 0
    assert capsys.readouterr().out.splitlines() == terms.term_lines()
    assert cli.main(["show", str(WEEK)]) == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first == "2025-03-03T14:00+08:00 .. 2025-03-03T22:00+08:00 (8:00)  lin"
