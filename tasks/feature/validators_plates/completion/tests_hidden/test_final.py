"""Plates from the validator up to the office's question."""

from pathlib import Path

import pytest
import validators

from garage.base import GateError, Reading
from garage.cli import answer
from garage.display import WIDTH, welcome
from garage.entry import Entry
from garage.exits import Exit, fee
from garage.ledger import Ledger
from garage.permits import Permits
from garage.report import report

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize(
    ("text", "country"),
    [("B AB 123", "DE"), ("HH A 1", "DE"), ("AB 123 CD", "FR"), ("W 12345 X", "AT")],
)
def test_good(text, country):
    assert validators.plate(text, country=country)


@pytest.mark.parametrize(
    ("text", "country"),
    [("B AB 0123", "DE"), ("AB 123 CD", "DE"), ("B AB 123", "FR"), ("B AB 123", "XX"), ("", "DE")],
)
def test_bad(text, country):
    assert not validators.plate(text, country=country)


def test_in_and_out_by_plate():
    ledger = Ledger()
    entry = Entry(ledger)
    arrival = entry.arrive(1.0, Reading("b-ab 123", "DE", 0.95))
    assert arrival.plate == "B AB 123"
    assert entry.arrive(1.0).plate == ""
    with pytest.raises(GateError):
        entry.arrive(1.0, Reading("???", "DE", 0.95))
    way_out = Exit(entry, ledger)
    with pytest.raises(GateError):
        way_out.leave_by_plate(Reading("HH A 1", "DE", 0.95), 2.0, 0)
    assert way_out.leave_by_plate(Reading("B.AB 123", "DE", 0.9), 3.5, fee(2.5)) == arrival
    plates = [line for line in ledger.lines if "B AB" in line.key]
    assert plates
    assert all(line.until - line.at <= 72 for line in plates)


def test_sign_and_report():
    ledger = Ledger()
    entry = Entry(ledger)
    row = welcome(entry.arrive(8.5, Reading("b ab 123", "DE", 0.95)))
    assert "B AB 123" in row and len(row) <= WIDTH
    assert "TICKET" in welcome(entry.arrive(8.6))
    text = report(ledger, 0)
    assert "with a plate: 1" in text and "B AB 123" not in text


def test_permits_and_cli():
    permits = Permits(Ledger())
    permits.sell("Ida Lind", 0, 30)
    permits.register("Ida Lind", "b-ab 123", "DE", 1.0)
    assert permits.holder_of("B AB 123") == "Ida Lind"
    assert answer(["whose", "b-ab", "123"], permits) == "Ida Lind"
    with pytest.raises(GateError) as raised:
        answer(["whose", "HH", "A", "1"], permits)
    assert "HH A 1" not in str(raised.value)
    with pytest.raises(GateError):
        permits.register("Nobody", "HH A 1", "DE", 1.0)


def test_lists_and_pages():
    lines = (ROOT / "garage/features.txt").read_text(encoding="utf-8").splitlines()
    assert lines[-2:] == ["15 plates", "# end"]
    changes = (ROOT / "docs/changes.md").read_text(encoding="utf-8")
    assert "plates" in changes.split("## Winter")[0].lower()
    assert "| DE |" in (ROOT / "docs/plates.md").read_text(encoding="utf-8")
    assert "def test_" in (ROOT / "tests_garage/test_plates.py").read_text(encoding="utf-8")
