"""The finished task: old names gone, behaviour and file formats as before."""

import ast
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tally.cli import main

ROOT = Path(__file__).resolve().parent.parent
OURS = ["entries", "posting", "journal", "accounts", "report", "export", "cli", "audit"]


@pytest.fixture(autouse=True)
def _demo_book(monkeypatch):
    monkeypatch.setenv("TALLY_BOOK", "demo")


def printed(*argv):
    out = io.StringIO()
    assert main(argv, out=out) == 0
    return out.getvalue()


def names_in(path):
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        for field in ("name", "id", "arg", "attr"):
            name = getattr(node, field, None)
            if isinstance(name, str):
                found.add(name)
    return found


@pytest.mark.parametrize("module", OURS)
def test_no_old_names(module):
    names = names_in(ROOT / "tally" / f"{module}.py")
    assert [name for name in names if "chargeline" in name.lower()] == []


def test_modules_of_others_are_as_they_were():
    assert "splitChargeLines" in names_in(ROOT / "tally" / "poster.py")
    assert "chargeLineSum" in names_in(ROOT / "tally" / "reporter.py")


def test_journals_and_exports_keep_their_words():
    data = json.loads(printed("json"))
    assert data["terms"] == 5
    assert [len(entry["charge_lines"]) for entry in data["entries"]] == [3, 3, 2, 2]


def test_commands_print_what_they_did():
    assert printed("charge-lines").splitlines()[1] == "INV-001 revenue -100.00"
    assert printed("history", "receivable").split()[-1] == "29.99"
    assert printed("audit") == "nothing to report\n"


def test_changelog_has_one_new_line():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    unreleased = text.split("## Unreleased", 1)[1].split("\n## ", 1)[0]
    assert sum(line.startswith(("- ", "* ")) for line in unreleased.splitlines()) == 2


def test_glossary_has_the_term():
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    assert "- posting:" in text
    assert "- charge line:" not in text


def test_own_tests_pass():
    assert (ROOT / "tests" / "test_terms.py").is_file()
    command = [sys.executable, "-m", "pytest", "-q", "tests"]
    done = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
