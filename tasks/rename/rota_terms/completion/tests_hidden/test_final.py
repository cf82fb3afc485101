"""The rename seen from outside: new helpers, former names that warn, and what was left alone."""

import ast
import importlib
import re
import warnings
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from rota import intervals, terms
from rota.intervals import Interval
from rota.model import Job, Shift
from rota.queue import JobQueue

ROOT = Path(__file__).resolve().parent.parent
NOON = datetime(2025, 3, 3, 12, tzinfo=timezone.utc)
HOUR = timedelta(hours=1)
PART = Interval(NOON, NOON + HOUR)
RECORD = {"start": "2025-03-03T12:00+00:00", "end": "2025-03-03T13:00+00:00"}
MODULES = "intervals conflicts queue calendar_month storage coverage reporting cli".split()
FORMER = {
    "intervals.merge_stretches": (([PART, PART],), [PART]),
    "conflicts.shared_stretch": ((Shift("lin", PART), Shift("lin", PART)), PART),
    "queue.busy_stretches": ((JobQueue([Job(NOON, 3, "mail")]), HOUR), [PART]),
    "calendar_month.stretch_cells": ((PART,), {NOON.date(): "D"}),
    "storage.read_stretch": ((RECORD,), PART),
    "coverage.stretch_gaps": ((PART, []), [PART]),
    "reporting.stretch_days": ((PART,), [(NOON.date(), 60)]),
}


@pytest.mark.parametrize("dotted", FORMER)
def test_former_name_works_and_warns(dotted):
    module, _, name = dotted.partition(".")
    args, wanted = FORMER[dotted]
    with pytest.warns(DeprecationWarning):
        found = getattr(importlib.import_module(f"rota.{module}"), name)(*args)
        found = found if isinstance(found, (dict, Interval)) else list(found)
    assert found == wanted


@pytest.mark.parametrize("module", MODULES)
def test_functions_speak_of_spans(module):
    tree = ast.parse((ROOT / "rota" / f"{module}.py").read_text(encoding="utf-8"))
    names = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    assert [name for name in names if "stretch" in name] == []


def test_own_code_does_not_call_former_names():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert intervals.total_min([PART, PART]) == 60


def test_releases_in_aliases():
    text = "".join((ROOT / "rota" / f"{m}.py").read_text(encoding="utf-8") for m in MODULES)
    ends = re.findall(r"until=[\"'](1\.\d)[\"']", text)
    assert ends.count("1.2") <= 4
    assert ends.count("1.1") >= 3


def test_written_down_once():
    assert terms.REPLACED[2:] == ((3, "stretch", "span"),)
    log = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    unreleased = log.split("## Unreleased", 1)[1].split("\n## ", 1)[0]
    assert sum(line.startswith(("- ", "* ")) for line in unreleased.splitlines()) == 3
    words = (ROOT / "docs" / "terms.md").read_text(encoding="utf-8")
    assert re.search(r"(?m)^\|\s*\W*spans?\W*\|", words)


def test_others_files_are_as_they_were():
    for path in ("rota/payroll/reporting.py", "rota/payroll/cli.py", "docs/payroll/terms.md"):
        text = (ROOT / path).read_text(encoding="utf-8")
        assert "stretch" in text and "span" not in text
    assert (ROOT / "rota" / "calendar_rules.py").read_text(encoding="utf-8").count("stretch") == 4


def test_guard_is_there():
    assert "def test_" in (ROOT / "tests" / "test_terms.py").read_text(encoding="utf-8")
