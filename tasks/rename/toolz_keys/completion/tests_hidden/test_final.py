"""Hidden checks: the desk says shelfmark."""

import inspect
from datetime import date
from pathlib import Path

import pytest

import maproom
from maproom import arrivals, index, labels, loans, recipes, reminders, search, shelves, slips
from maproom.model import sample

ROOT = Path(maproom.__file__).parent.parent
MAPS, LOANS = sample()
MODULES = [arrivals, index, labels, loans, recipes, reminders, search, shelves, slips]


def only_new(rows):
    return [{name: value for name, value in row.items() if name != "key"} for row in rows]


def test_rows_carry_both_words():
    for row in [*MAPS, *LOANS]:
        assert row["shelfmark"] == row["key"]


@pytest.mark.parametrize("module", MODULES)
def test_modules_do_with_the_new_word(module):
    assert module.report(only_new(MAPS), only_new(LOANS))
    source = inspect.getsource(module)
    assert '"key"' not in source and "'key'" not in source


def test_names():
    assert search.shelfmarks_of(MAPS, "Köln") == ["K 12.4", "K 12.9"]
    assert search.find(MAPS, shelfmark="Z 7.2")["year"] == 1821
    assert set(recipes.by_shelfmark(LOANS)) == {"K 12.9", "Z 7.2"}
    assert loans.overdue_shelfmarks(LOANS, date(2026, 10, 31)) == ["K 12.9"]
    assert len(search.explained(MAPS)) == 3


def test_columns():
    assert slips.slip(MAPS[0]) == "[ ] K 12.4     1752 Plan de Cologne"
    assert arrivals.lines(MAPS[:1]) == ["K 12.4     1752  Plan de Cologne"]
    assert labels.label(MAPS[0]) == "K 12.4     * KÖLN 1752"
    assert "  K 12.9     Köln und Deutz" in index.entries(MAPS)
    assert "  R 3.1      Cours du Rhin" in shelves.report(MAPS, LOANS)


def test_papers():
    words = (ROOT / "docs/words.md").read_text(encoding="utf-8")
    assert words.count("| key | shelfmark |") == 1
    assert "shelfmark" in (ROOT / "docs/reading.md").read_text(encoding="utf-8")
    autumn = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("## Summer")[0]
    assert "shelfmark" in autumn.lower()
