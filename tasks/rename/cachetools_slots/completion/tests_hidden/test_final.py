"""Hidden checks: the old word is gone, old public names warn, and the work is done as before."""

import importlib
import re
from pathlib import Path

import pytest

import clinic
from clinic.desk import Desk
from clinic.renames import RENAMES, modern
from clinic.report import DayReport
from clinic.store import Store

ROOT = Path(clinic.__file__).resolve().parent.parent
DAY = "2026-03-02"
OLD = [
    ("keys", "opening_key", ("eye", DAY, 2)),
    ("board", "opening_board", (None, "eye", DAY)),
    ("quota", "openings_left", (None, "eye", DAY)),
    ("reminders", "opening_reminders", (None, "2026-03-01")),
]


@pytest.fixture
def store():
    return Store.load(str(ROOT / "sample/small.json"))


@pytest.mark.parametrize("module, name, args", OLD)
def test_old_public_names_warn(store, module, name, args):
    given = [store if arg is None else arg for arg in args]
    old = getattr(importlib.import_module(f"clinic.{module}"), name)
    with pytest.warns(DeprecationWarning):
        old(*given)


@pytest.mark.parametrize("module", ["desk", "waitlist", "wire", "report"])
def test_old_word_is_gone(module):
    text = (ROOT / "clinic" / f"{module}.py").read_text(encoding="utf-8")
    assert not re.search("opening(?!_hours)", text, re.IGNORECASE)


def test_desk_and_report_share_a_memory(store):
    memory = {}
    assert Desk(store, memory).book("eye", DAY, "zhao").no == 2
    assert DayReport(store, memory).lines(DAY) == ["eye: 3 of 4", "skin: 1 of 2"]
    assert {key[0] for key in memory} == {"slot/7"}


def test_register_history_terms_and_new_test():
    assert RENAMES.count(("opening", "slot")) == 1 and modern("opening") == "slot"
    history = (ROOT / "docs/HISTORY.md").read_text(encoding="utf-8")
    assert "slots" in history.split("## 2.4")[0]
    terms = (ROOT / "docs/terms.md").read_text(encoding="utf-8")
    assert "- slot:" in terms and "- opening hours:" in terms
    assert (ROOT / "docs/wire_kept.json").is_file()
    assert "def test_" in (ROOT / "clinic_tests/test_words.py").read_text(encoding="utf-8")
