"""What comes out of the store, seen from outside."""

import pytest

from sound.cues import cue
from tour import labels as tour_labels
from tour import loads as tour_loads
from wings import colours, insurance, labels, lending, loads, repairs, scenes, store


def test_call_sheet(rows):
    third = scenes.call_sheet(rows).split("\n\n")[1]
    assert third == "Storm 3\n  B1  sea chest\n  C2  ship's lantern"


def test_labels_follow_the_shelves(rows):
    roll = labels.label_roll(rows).split("\n\n")
    assert roll[0] == "A104                A3\nbrass telescope"
    assert len(roll) == 4


def test_broken_things_stay_here(rows):
    with pytest.raises(lending.NotToBeLent, match="A117: left wing"):
        _lend(rows, ["A104", "A117"])
    assert "lent" not in rows[0]


def _lend(rows, marks):
    lend = next(value for name, value in vars(lending).items() if name.startswith("lend_"))
    return lend(rows, marks, "Opera")


def test_a_slip_is_signed(rows):
    lending.take_back(rows, "B020")
    assert _lend(rows, ["A104"]).startswith("Lent to Opera:\nA104  brass telescope\n")
    assert rows[0]["lent"] == "Opera"


def test_the_dearest_is_mended_first(rows):
    assert repairs.repair_list(rows).splitlines()[0] == "C007  ship's lantern: glass"
    repairs.mended(rows, "C007")
    assert repairs.repair_list(rows) == "A117  parrot on a stick: left wing"


def test_loads(rows):
    assert loads.van_load(rows) == "47.5 kg, 292.5 kg to spare"
    assert tour_loads.trailer_load(rows) == "fine"
    assert tour_labels.case_labels(rows).splitlines()[2] == "B020 SEA CHEST"


def test_colours(rows):
    assert colours.colour_card(rows, "brass") == "brass telescope, ship's lantern"
    assert colours.warm_share(rows) == 75


def test_insurance(rows):
    assert insurance.insurance_sheet(rows).splitlines()[-1] == "sum                            495"


def test_comments_survive(rows, tmp_path):
    store.save_rows(tmp_path / "new.toml", rows, 38)
    assert "# was red until the dress rehearsal" in (tmp_path / "new.toml").read_text("utf-8")
    assert store.shelves(rows) == ["A3", "B1", "C2"]


def test_noises(rows):
    assert cue(rows, "C007") == "squeak: ship's lantern"
