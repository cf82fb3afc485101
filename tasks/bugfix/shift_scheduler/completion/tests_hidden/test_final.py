"""Every defect of the batch, seen from outside."""

from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import pytest

from rota import RotaError, batches, calendar_rules, cli, conflicts, cron, queue, reporting, storage
from rota.intervals import Interval
from rota.model import Job, Shift

ROOT = Path(__file__).resolve().parent.parent
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def site(monkeypatch):
    monkeypatch.setenv("ROTA_TZ", "+08:00")


def at(hour: float, day: int = 3) -> datetime:
    return datetime(2025, 3, day, tzinfo=timezone(8 * HOUR)) + hour * HOUR


def test_touching_is_not_overlapping():
    assert not Interval(at(8), at(12)).overlaps(Interval(at(12), at(16)))
    assert Interval(at(8), at(12)).overlaps(Interval(at(11.5), at(16)))


def test_night_window():
    seen = [calendar_rules.is_night(at(hour)) for hour in (21.9, 22, 23, 0, 5.9, 6)]
    assert seen == [False, True, True, True, True, False]
    with pytest.raises(RotaError):
        calendar_rules.night_share(Interval(at(8), at(8)))


def test_ranges():
    assert cron.parse_field("1-5", "weekday") == {1, 2, 3, 4, 5}
    assert cron.parse_field("0-30/15", "minute") == {0, 15, 30}
    with pytest.raises(RotaError):
        cron.parse_field("5-1", "weekday")


def test_due_jobs():
    waiting = queue.JobQueue([Job(at(8), 3, "backup"), Job(at(7.5), 3, "mail")])
    assert [(job.name, job.late_min) for job in waiting.pop_due(at(8))] == [
        ("mail", 30),
        ("backup", 0),
    ]


@pytest.mark.parametrize("start, kinds", [(19, []), (18.75, ["rest"]), (8, [])])
def test_rest(start, kinds):
    first, second = Interval(at(0), at(8)), Interval(at(start), at(start + 4))
    found = conflicts.find_conflicts([Shift("lin", first), Shift("lin", second)])
    assert [conflict.kind for conflict in found] == kinds


def test_stamps():
    assert storage.read_stamp("2025-03-03T22:00") == at(22)
    assert storage.read_stamp("2025-03-03T14:00+00:00") == at(22)
    with pytest.raises(RotaError):
        storage.read_stamp("yesterday")


def test_days():
    totals = reporting.daily_totals([Shift("lin", Interval(at(22), at(30)))])
    assert totals == {("lin", date(2025, 3, 3)): 120, ("lin", date(2025, 3, 4)): 360}


def test_report_period(tmp_path, capsys):
    roster = tmp_path / "roster.json"
    storage.save_roster(roster, [Shift("lin", Interval(at(9, day), at(17, day))) for day in (3, 4)])
    period = ["report", str(roster), "--since", "2025-03-03", "--until"]
    assert cli.main([*period, "2025-03-04"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert cli.main([*period, "2025-03-01"]) == 2


def test_written_down_once():
    assert batches.BATCHES[3:] == ((4, "edge-times"),)
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    unreleased = text.split("## Unreleased", 1)[1].split("\n## ", 1)[0]
    assert sum(line.startswith(("- ", "* ")) for line in unreleased.splitlines()) == 3
    table = (ROOT / "docs" / "boundaries.md").read_text(encoding="utf-8")
    row = next(line for line in table.splitlines() if line.startswith("| Interval"))
    assert row.split("|")[3].strip() != "part of the stretch"


def test_regressions_are_covered():
    text = (ROOT / "tests" / "test_regressions.py").read_text(encoding="utf-8")
    assert all(f"def test_r{number}_" in text for number in (404, 405, 406, 407))
