"""Hidden checks: the reports are pipes and tell the same as before."""

import inspect
from pathlib import Path

import pytest
import toolz
import toolz.curried

import orchard
from orchard import bonus, frost, intake, invoices, labels, market, moved, sorting, tags, wages
from orchard.ledger import sample

ROOT = Path(orchard.__file__).parent.parent
SEASON = sample()
REPORTS = [bonus, frost, intake, invoices, labels, market, sorting, tags, wages]


@pytest.mark.parametrize("module", REPORTS)
def test_no_chain_is_left(module):
    source = inspect.getsource(module)
    assert "Flow(" not in source and "orchard.flow" not in source
    assert "toolz" in source or "orchard." in source


def test_sumby_in_both_namespaces():
    words = ["cat", "mouse", "dog"]
    assert dict(toolz.sumby(len, lambda word: 2, words)) == {3: 4, 5: 2}
    rows = [{"a": 1, "b": 5}, {"a": 1, "b": 6}]
    assert dict(toolz.curried.sumby("a", "b")(rows)) == {1: 11}


def test_numbers_are_as_before():
    assert dict(intake.block_weights(SEASON.picked)) == {"A1": 320, "A2": 410, "B1": 425, "B2": 505}
    assert dict(intake.week_weights(SEASON.picked)) == {36: 320, 37: 835, 38: 505}
    assert dict(sorting.grade_weights(SEASON.picked)) == {1: 1100, 2: 410, "juice": 150}
    assert dict(wages.long_days(SEASON.picked)) == {("Ruth", 9): 1}
    assert dict(bonus.quick_bins(rows=SEASON.picked)) == {"Ines": 1, "Ruth": 1}
    assert [row["kg"] for row in bonus.best_bins(SEASON.picked, 2)] == [505, 410]
    assert dict(market.weekday_cents(SEASON.sales)) == {2: 12800, 3: 10800, 4: 9450}
    assert dict(frost.frost_blocks(nights=SEASON.nights)) == {"A1": 1, "A2": 1, "B2": 1}
    assert dict(invoices.owed(sales=SEASON.sales)) == {"mill": 12800, "stall": 20250}


def test_sheets_fit_the_printer():
    many = [dict(SEASON.picked[0], kg=300 + n) for n in range(130)]
    assert max(map(len, labels.label_sheets(many))) <= 60
    assert max(map(len, tags.tag_sheets(many))) <= 40
    sales = [SEASON.sales[0]] * 130
    sheets = list(invoices.invoice_sheets(sales, "mill"))
    assert max(map(len, sheets)) <= 40 and sum(map(len, sheets)) == 130


def test_notes():
    assert moved.MOVED[-1] == (13, "pipes")
    newest = (ROOT / "CHANGES.md").read_text(encoding="utf-8").split("## Last season")[0]
    assert "pipe" in newest
    assert "pipe" in (ROOT / "docs/pipes.md").read_text(encoding="utf-8").lower()
