"""The move seen from outside: every kind on its shelf, nothing through the single file."""

import ast
import json
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import pytest

from rota import RotaError, absences, cli, holidays, jobs, rosters, shift_swaps, versions
from rota.intervals import Interval
from rota.model import Absence, Job, Shift, Swap
from rota.shelf import Shelf

ROOT = Path(__file__).resolve().parent.parent
NOON = datetime(2025, 3, 3, 4, 0, tzinfo=timezone.utc)
DAY = date(2025, 3, 3)
MOVED = ("rosters", "jobs", "shift_swaps", "absences", "holidays", "cli")


@pytest.fixture
def plan(tmp_path, monkeypatch):
    monkeypatch.setenv("ROTA_TZ", "+08:00")
    return tmp_path / "plan"


def damage(plan, kind):
    with Shelf(plan).path(kind).open("a", encoding="utf-8") as file:
        file.write("{\n")


def test_shifts(plan):
    shift = Shift("林", Interval(NOON, NOON + timedelta(hours=8)), "desk")
    rosters.save_roster(plan, [shift])
    assert Shelf(plan).rows("shifts")[0]["start"] == "2025-03-03T12:00+08:00"
    damage(plan, "shifts")
    assert rosters.load_roster(plan) == [shift]


def test_jobs(plan):
    jobs.save_jobs(plan, jobs.JobQueue([Job(NOON, 3, "备份")]))
    damage(plan, "jobs")
    assert [job.name for job in jobs.load_jobs(plan).waiting()] == ["备份"]


def test_swaps(plan):
    shift_swaps.save_swaps(plan, [Swap(DAY, "lin", "mei", True)])
    assert shift_swaps.load_swaps(plan) == [Swap(DAY, "lin", "mei", True)]
    damage(plan, "swaps")
    with pytest.raises(RotaError):
        shift_swaps.load_swaps(plan)


def test_absences(plan):
    absences.save_absences(plan, [Absence("lin", DAY, DAY)])
    assert absences.load_absences(plan) == [Absence("lin", DAY, DAY)]
    damage(plan, "absences")
    with pytest.raises(RotaError):
        absences.load_absences(plan)


def test_holidays(plan):
    holidays.save_holidays(plan, {DAY: "植树节"})
    assert holidays.load_holidays(plan) == {DAY: "植树节"}
    damage(plan, "holidays")
    with pytest.raises(RotaError):
        holidays.load_holidays(plan)


def test_kinds_are_counted(plan, capsys):
    Shelf(plan).write("jobs", [{"name": "a"}])
    Shelf(plan).add("jobs", {"name": "b"})
    assert cli.main(["kinds", str(plan)]) == 0
    assert capsys.readouterr().out.split() == ["jobs", "2"]


@pytest.mark.parametrize("module", MOVED)
def test_single_file_is_left(module):
    tree = ast.parse((ROOT / "rota" / f"{module}.py").read_text(encoding="utf-8"))
    used = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert "rota.storage" not in used


@pytest.mark.parametrize("kind", ["shifts", "holidays"])
def test_samples_are_those_of_the_single_file(kind):
    text = (ROOT / "samples" / "plan.json").read_text(encoding="utf-8")
    assert Shelf(ROOT / "samples" / "plan").rows(kind) == json.loads(text)["tables"][kind]


def test_written_down_once():
    assert versions.FORMATS[2:] == ((3, "json-lines"),)
    log = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    unreleased = log.split("## Unreleased", 1)[1].split("\n## ", 1)[0]
    assert sum(line.startswith(("- ", "* ")) for line in unreleased.splitlines()) == 3
    guide = (ROOT / "docs" / "storage.md").read_text(encoding="utf-8")
    assert "everything but notes" not in guide


def test_left_alone():
    for name in ("jobs", "holidays", "cli"):
        assert "rota.storage" in (ROOT / "pilot" / f"{name}.py").read_text(encoding="utf-8")
    assert 'bad="skip"' in (ROOT / "rota" / "shift_notes.py").read_text(encoding="utf-8")
    assert "def test_" in (ROOT / "tests" / "test_shelf.py").read_text(encoding="utf-8")
