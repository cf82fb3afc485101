"""Rules that have held since the first version."""

from datetime import date, datetime, timedelta, timezone

import pytest

from rota import RotaError, calendar_rules, cli, conflicts, cron, intervals, priorities, storage
from rota.intervals import Interval
from rota.model import Job, Shift

MONDAY = datetime(2025, 3, 3, 1, 0, tzinfo=timezone.utc)
HOUR = timedelta(hours=1)


def part(start: float, end: float) -> Interval:
    return Interval(MONDAY + start * HOUR, MONDAY + end * HOUR)


def test_backward_interval_is_refused():
    with pytest.raises(RotaError):
        part(2, 1)


def test_slices_and_cuts():
    assert list(intervals.slices(part(0, 2.5), HOUR)) == [part(0, 1), part(1, 2), part(2, 2.5)]
    assert part(0, 4).cut(MONDAY + HOUR) == (part(0, 1), part(1, 4))
    assert intervals.from_minutes(MONDAY, 90).moved(HOUR) == part(1, 2.5)


def test_too_much_work_in_a_week():
    week = [Shift("lin", part(24 * day, 24 * day + 10)) for day in range(5)]
    assert [c.kind for c in conflicts.find_conflicts(week)] == ["week"]


def test_weekend_and_holiday():
    friday_night = datetime(2025, 3, 7, 16, 30, tzinfo=timezone.utc)
    assert calendar_rules.is_weekend(friday_night)
    assert calendar_rules.is_holiday(friday_night, [date(2025, 3, 8)])


def test_midnight_shift_is_paid_as_night():
    begin = datetime(2025, 3, 3, 15, 0, tzinfo=timezone.utc)
    assert calendar_rules.pay_class(Interval(begin, begin + 4 * HOUR)) == "night"


@pytest.mark.parametrize("text", ["* * * *", "61 * * * *", "*/0 * * * *", "a * * * *"])
def test_bad_rules_are_refused(text):
    with pytest.raises(RotaError):
        cron.CronRule.parse(text)


def test_waiting_raises_the_level():
    job = Job(MONDAY, 3, "backup")
    assert priorities.effective_level(job, MONDAY + HOUR) == 3
    assert priorities.effective_level(job, MONDAY + 5 * HOUR) == 1


def test_roster_is_written_whole(tmp_path):
    target = tmp_path / "roster.json"
    storage.save_roster(target, [Shift("lin", part(0, 8), "desk")])
    assert [shift.role for shift in storage.load_roster(target)] == ["desk"]
    assert [path.name for path in tmp_path.iterdir()] == ["roster.json"]


def test_refused_roster_gives_one_line(tmp_path, capsys):
    (tmp_path / "old.json").write_text('{"format": 1}', encoding="utf-8")
    assert cli.main(["check", str(tmp_path / "old.json")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
