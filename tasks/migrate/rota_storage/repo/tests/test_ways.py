"""The two ways in which a plan can be kept."""

import pytest

from rota import RotaError, storage
from rota.shelf import Shelf


def test_tables_stay_apart(plan):
    storage.save_table(plan, "jobs", [{"name": "mail"}])
    storage.save_table(plan, "shifts", [])
    assert storage.table_kinds(plan) == ["jobs", "shifts"]
    assert storage.load_table(plan, "jobs") == [{"name": "mail"}]


def test_files_of_a_shelf(plan):
    Shelf(plan).write("jobs", [{"name": "备份"}, {"name": "mail"}])
    assert Shelf(plan).kinds() == ["jobs"]
    assert Shelf(plan).path("jobs").read_text(encoding="utf-8").startswith('{"name": "备份"}\n')
    assert Shelf(plan).rows("shifts") == []


def test_a_damaged_line(plan):
    Shelf(plan).write("jobs", [{"name": "mail"}])
    with Shelf(plan).path("jobs").open("a", encoding="utf-8") as file:
        file.write('{"name": \n')
    assert Shelf(plan).rows("jobs", bad="skip") == [{"name": "mail"}]
    with pytest.raises(RotaError, match=r"jobs\.jsonl:2"):
        Shelf(plan).rows("jobs", bad="raise")
    with pytest.raises(RotaError):
        Shelf(plan).rows("jobs", bad="mend")
