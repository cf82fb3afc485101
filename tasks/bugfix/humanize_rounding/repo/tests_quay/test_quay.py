from quay.berths import berth_of, metre
from quay.board import board
from quay.fees import fee
from quay.shares import masses, shares
from quay.tape import DRILL
from quay.tonnage import tonnage
from quay.waiting import waiting


def test_plain_values():
    assert tonnage(2_000_000) == "2,000.0 t"
    assert fee(1000, "cars") == "¥18.35"
    assert waiting(125.0) == "2 h 5 min"


def test_berths():
    assert [berth_of(call.bow) for call in DRILL] == [1, 1, 3, 4]
    assert berth_of(700.0) == 0
    assert metre(-0.2) == -1


def test_masses_and_shares():
    assert masses(DRILL)["ore"] == 1_667_000
    assert shares({"ore": 1, "grain": 3}) == {"ore": 25, "grain": 75}
    assert shares({}) == {}


def test_board_has_a_line_for_every_ship():
    lines = board(DRILL).splitlines()
    assert [line.split()[1] for line in lines[:4]] == [call.ship for call in DRILL]
    assert lines[-1].startswith("too close: ")
