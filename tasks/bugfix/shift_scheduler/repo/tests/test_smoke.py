"""A quick look at every module."""

from datetime import datetime, timedelta, timezone

from rota import batches, cli, clock, conflicts, cron, queue, reporting
from rota.intervals import Interval
from rota.model import Job, Shift

NOON = datetime(2025, 3, 3, 4, 0, tzinfo=timezone.utc)
HOUR = timedelta(hours=1)


def test_shift_is_reported():
    totals = reporting.daily_totals([Shift("lin", Interval(NOON, NOON + HOUR))])
    assert list(totals.values()) == [60]
    assert reporting.hours_text(425) == "7:05"


def test_nested_shifts_conflict():
    outer = Shift("lin", Interval(NOON, NOON + 3 * HOUR))
    inner = Shift("lin", Interval(NOON + HOUR, NOON + 2 * HOUR))
    assert [c.kind for c in conflicts.find_conflicts([inner, outer])] == ["overlap"]


def test_overdue_job_is_taken():
    waiting = queue.JobQueue([Job(NOON - HOUR, 3, "backup"), Job(NOON + HOUR, 3, "mail")])
    assert [job.name for job in waiting.pop_due(NOON)] == ["backup"]
    assert len(waiting) == 1


def test_rule_fires_every_quarter():
    rule = cron.CronRule.parse("*/15 * * * *")
    assert rule.next_after(NOON) == NOON + timedelta(minutes=15)


def test_site_day_follows_the_offset():
    late = datetime(2025, 3, 3, 17, 30, tzinfo=timezone.utc)
    assert clock.site_day(late).isoformat() == "2025-03-04"
    assert clock.format_stamp(late) == "2025-03-04T01:30+08:00"


def test_command_line(capsys):
    assert cli.main(["batches"]) == 0
    assert capsys.readouterr().out.splitlines() == batches.batch_lines()
