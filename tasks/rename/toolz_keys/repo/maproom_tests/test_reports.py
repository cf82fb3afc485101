import importlib
from datetime import date

import pytest

from maproom import check, index, labels, loans, recipes, reminders, shelves
from maproom.model import sample

MAPS, LOANS = sample()


@pytest.mark.parametrize("name", check.REPORTS)
def test_reports_have_lines(name):
    assert importlib.import_module(f"maproom.{name}").report(MAPS, LOANS)


def test_loans_are_joined_with_maps():
    assert [row["reader"] for row in loans.out(MAPS, LOANS)] == ["Okafor", "Lindqvist"]
    assert reminders.letters(LOANS)["Okafor"] == "Please bring back K 12.9 by 02 October."


def test_places_and_shelves():
    assert index.entries(MAPS)[0] == "Köln"
    assert shelves.shelf_sizes(MAPS) == {"K": 2, "R": 2, "Z": 1}
    assert labels.label(MAPS[0]).endswith("* KÖLN 1752")


def test_changes_are_merged_into_rows():
    rows = recipes.changed(LOANS, {"Z 7.2": {"due": date(2026, 12, 1)}})
    assert [row["due"].month for row in rows] == [10, 12]
