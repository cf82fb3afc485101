"""Tickets, fees, season tickets, the sign and the report."""

import pytest

from garage.base import GateError, Reading, tidy
from garage.cli import answer
from garage.display import free_places, welcome
from garage.entry import PLACES, Entry
from garage.exits import Exit, fee
from garage.ledger import Ledger
from garage.permits import Permits
from garage.report import report


@pytest.fixture
def ledger():
    return Ledger()


@pytest.fixture
def entry(ledger):
    return Entry(ledger)


def test_in_and_out(entry, ledger):
    arrival = entry.arrive(1.0)
    with pytest.raises(GateError, match="in full"):
        Exit(entry, ledger).leave(arrival.ticket, 3.5, 0)
    assert Exit(entry, ledger).leave(arrival.ticket, 3.5, fee(2.5)) == arrival
    assert [line.kind for line in ledger.lines] == ["arrival", "leave"]
    assert ledger.forget(27.0) == 1


def test_fee():
    assert [fee(hours) for hours in (0.2, 1.0, 1.1, 20, 25)] == [0, 180, 360, 1400, 1580]


def test_full(entry):
    for number in range(PLACES):
        entry.arrive(number / 100)
    assert free_places(entry).strip() == "FULL"
    with pytest.raises(GateError, match="taken"):
        entry.arrive(5.0)


def test_permits(ledger):
    permits = Permits(ledger)
    permits.sell("Ida Lind", 0, 30)
    assert permits.sell("Ida Lind", 10, 30).until == 60 * 24
    assert answer(["permit", "Ida", "Lind", "900"], permits) == "lasts"
    with pytest.raises(GateError):
        permits.sell(" ", 0, 30)


def test_sign_and_report(entry, ledger):
    assert welcome(entry.arrive(8.5)).strip() == "TICKET 1001"
    assert report(ledger, 0) == "Day 0\nin: 1\nout: 0\nbusiest: 08 h with 1"


def test_reading():
    assert tidy(" b-ab  12 ") == "B AB 12"
    assert Reading("x", "DE", 0.9).is_sure
    assert not Reading("x", "DE", 0.7).is_sure
