"""The finished task: halves, mirrored credit notes, sums of parts; others' modules as they were."""

import os
import subprocess
import sys
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

import tally
from tally import at, money
from tally.at import dunning as at_dunning
from tally.at import levy as at_levy
from tally.at import vat as at_vat
from tally.currency import from_home, to_home
from tally.de import dunning, levy, vat
from tally.discount import discount_of
from tally.feed.currency import rate_on
from tally.instalments import equal_parts
from tally.report import quota
from tally.shares import shared

ROOT = Path(__file__).resolve().parent.parent
MARCH = date(2024, 3, 4)
AMOUNTS = [0, 1, 49, 50, 51, 150, 1999, 2999, 123_450, 998_877_665]


def half_up(exact):
    size = int(abs(exact) + Fraction(1, 2))
    return size if exact >= 0 else -size


@pytest.mark.parametrize("how", money.MODES)
def test_credit_notes_mirror_invoices(how):
    for numerator in range(60):
        mirrored = -money.divided(numerator, 20, how)
        assert money.divided(-numerator, 20, how) == mirrored
    assert money.divided(-15, 10, money.HALF_UP) == -2


@pytest.mark.parametrize("cents", [*AMOUNTS, *(-amount for amount in AMOUNTS)])
def test_halves_go_up_on_invoices(cents):
    assert discount_of(cents, 3) == half_up(Fraction(cents * 3, 100))
    assert vat.net_of(cents, 19) == half_up(Fraction(cents * 100, 119))


@pytest.mark.parametrize("cents", AMOUNTS)
def test_halves_go_to_even_elsewhere(cents):
    assert dunning.interest(cents, 31) == round(Fraction(cents * 127 * 31, 365_000))
    assert to_home(cents, "CHF", MARCH) == round(Fraction(cents * 10_365, 10_000))
    assert from_home(cents, "CHF", MARCH) == round(Fraction(cents * 10_000, 10_365))


def test_levy_goes_to_even():
    found = [levy.levy_on([total]) for total in (100_010, 100_030, 60_000)]
    assert found == [5000, 5002, 0]


@pytest.mark.parametrize("cents", [100, -100, 1001, 99_999])
def test_parts_add_up(cents):
    assert sum(shared(cents, [1, 1, 1])) == cents
    assert sum(shared(cents, [7, 0, 3, 13])) == cents


def test_quotas_are_computed_exactly():
    assert [quota(part, 2000) for part in (1, 3, 2000, -30)] == [
        "0.0 %",
        "0.2 %",
        "100.0 %",
        "-1.5 %",
    ]


def test_modules_of_others_are_as_they_were():
    assert (at_vat.net_of(1999, 20), at_levy.levy_on([100_030])) == (1665, 5001)
    assert at_dunning.interest(100, 31) == 1
    assert equal_parts(1000, 3) == [334, 333, 333]
    assert "round(rate_on" in (ROOT / "tally/feed/currency.py").read_text(encoding="utf-8")
    assert rate_on("USD", MARCH) == 9203
    assert not hasattr(money, "round_cents")
    assert at.__name__ == "tally.at"


def test_version_changelog_and_docs():
    assert tally.__version__ == "0.8.2"
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    unreleased = text.split("## Unreleased", 1)[1].split("\n## ", 1)[0]
    assert sum(line.startswith("- ") for line in unreleased.splitlines()) == 2
    assert "| lost |" not in (ROOT / "docs/rounding.md").read_text(encoding="utf-8")


def test_own_tests_pass():
    assert (ROOT / "tests" / "test_cents.py").is_file()
    command = [sys.executable, "-W", "error", "-m", "unittest", "discover", "-q", "tests"]
    done = subprocess.run(command, cwd=ROOT, env=os.environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
