"""The finished task: budgets are read, judged and printed; others' files are as before."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tally import parse_journal
from tally.audit import audit
from tally.budgets import parse_budget, spent_on, status
from tally.cli import main
from tally.clock import today
from tally.directives import DIRECTIVES
from tally.export import to_json
from tally.hq.report import sheet
from tally.journal import JournalError

ROOT = Path(__file__).resolve().parent.parent
DEMO = ROOT / "books" / "demo.journal"
UNCHANGED = "55d2e3adb530"
TEXT = """\
account bank asset
account rent expense
budget rent 2024-03 100.00
budget rent 2024-04 100.00
entry 2024-03-02 R-1 Rent
  charge rent 85.00
  charge bank -85.00
"""


@pytest.fixture(autouse=True)
def _march(monkeypatch):
    monkeypatch.setenv("TALLY_TODAY", "2024-03-30")


def printed(*argv):
    out = io.StringIO()
    assert main(argv, out=out) == 0
    return out.getvalue()


def test_budgets_are_read():
    book = parse_journal(TEXT)
    assert [(each.month, each.limit) for each in book.budgets] == [
        ("2024-03", 10000),
        ("2024-04", 10000),
    ]
    assert [name for name, _, _ in DIRECTIVES].count("budget") == 1


@pytest.mark.parametrize(
    "line",
    [
        "budget rent 2024-03 50.00",
        "budget rent 2024-13 50.00",
        "budget rent 2024-05 -1.00",
        "budget rent 2024-05 1.5",
        "budget rent",
    ],
)
def test_bad_budgets_are_refused(line):
    with pytest.raises(JournalError, match="^8: "):
        parse_journal(TEXT + line + "\n")


def test_status(monkeypatch):
    book = parse_journal(TEXT)
    march = book.budgets[0]
    assert spent_on(march, book.entries) == 8500
    found = [status(march, spent) for spent in (8499, 8500, 10000, 10001)]
    assert found == ["fine", "near", "near", "over"]
    monkeypatch.setenv("TALLY_TODAY", "2024-04-01")
    assert [status(march, spent) for spent in (8500, 10001)] == ["fine", "over"]
    assert parse_budget(["rent", "2024-03", "1.00"]).limit == 100


def test_audit_and_export():
    book = parse_journal(DEMO.read_text(encoding="utf-8"))
    findings = [str(each) for each in audit(book, today())]
    assert len(findings) == 1
    assert findings[0].startswith("power:")
    assert len(json.loads(to_json(book))["budgets"]) == 2


def test_command_and_samples():
    rows = printed("budget", str(DEMO)).splitlines()
    assert [row.split() for row in rows] == [
        ["rent", "80.00", "90.00", "near"],
        ["power", "41.20", "35.00", "over"],
    ]
    for name in ("report", "cli"):
        assert (ROOT / "docs" / "samples" / f"{name}.txt").is_file()


def test_book_was_sealed_before_it_was_changed():
    seals = (ROOT / "books" / "SEALS").read_text(encoding="utf-8").splitlines()
    assert any(line.startswith("demo.journal ") and line.endswith(UNCHANGED) for line in seals)


def test_docs_and_changelog():
    assert "85" in (ROOT / "docs" / "budgets.md").read_text(encoding="utf-8")
    assert "85" not in (ROOT / "docs" / "handbook" / "budgets.md").read_text(encoding="utf-8")
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    unreleased = text.split("## Unreleased", 1)[1].split("\n## ", 1)[0]
    assert sum(line.startswith(("- ", "* ")) for line in unreleased.splitlines()) == 2


def test_headquarters_are_as_they_were():
    book = parse_journal(TEXT)
    assert sheet(book, "Q1").splitlines()[2] == "RENT.......................85.00"


def test_own_tests_pass():
    assert (ROOT / "tests" / "test_budgets.py").is_file()
    command = [sys.executable, "-m", "unittest", "discover", "-q", "tests"]
    done = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
