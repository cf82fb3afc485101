from pathlib import Path

import kitlist
from kitlist import entries, labels, weigh

LISTS = Path(kitlist.__file__).resolve().parent.parent / "lists"


def test_entries_of_the_camp():
    found = entries.read((LISTS / "camp.md").read_text(encoding="utf-8"))
    assert [(each.text, each.depth, each.ticked) for each in found[:3]] == [
        ("Kitchen (Siri)", 1, None),
        ("stove", 2, True),
        ("gas x2", 2, False),
    ]


def test_amounts():
    assert entries.Entry("mat x6").amount == 6
    assert entries.Entry("mat x6").name == "mat"
    assert entries.Entry("relax").amount == 1


def test_plain_labels_and_weights():
    assert labels.label(entries.Entry("Bag A (Mina)")) == "Bag A\nMina"
    assert weigh.weight([entries.Entry("sling x3")]) == 270
