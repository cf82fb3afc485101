import ast
from pathlib import Path

import humanize
import pytest
import quay
from quay.fees import fee
from quay.gaps import gap, overlaps
from quay.shares import masses, shares
from quay.tape import DRILL
from quay.tonnage import tonnage
from quay.totals import total
from quay.waiting import waiting

ROOT = Path(quay.__file__).resolve().parent.parent


def test_library_carries_over():
    assert humanize.naturalsize(999_999) == "1.0 MB"
    assert humanize.naturalsize(-999_999) == "-1.0 MB"
    assert humanize.naturalsize(1024**2 - 1, binary=True) == "1.0 MiB"
    assert humanize.metric(999.6, "W") == "1.00 kW"
    assert humanize.metric(9.996, "W") == "10.0 W"
    assert humanize.metric(1500, "V") == "1.50 kV"
    assert humanize.fractional(1.9999) == "2"
    assert humanize.fractional(0.99999) == "1"
    assert humanize.fractional(1.5) == "1 1/2"


@pytest.mark.parametrize(
    ("kilograms", "shown"), [(1_254_750, "1,254.8 t"), (833_050, "833.0 t"), (99, "0.1 t")]
)
def test_tons_of_a_ship(kilograms, shown):
    assert tonnage(kilograms) == shown


def test_fees_follow_the_contract():
    assert fee(412_250, "ore") == "¥1,350.12"
    assert fee(1_000, "grain") == "¥4.11"


def test_shares_add_up():
    assert shares(masses(DRILL)) == {"ore": 64, "grain": 32, "cars": 4}
    assert sum(shares({"a": 1, "b": 1, "c": 1}).values()) == 100


def test_gaps_and_overlaps():
    assert gap(187.5, 187.1) == -1
    assert overlaps(187.5, 187.1)
    assert gap(10.0, 22.9) == 12


def test_times_and_sums():
    assert waiting(119.6) == "2 h 0 min"
    assert waiting(44.5) == "0 h 44 min"
    assert total(DRILL) == "2,596.7 t"


def test_papers_and_cases():
    lines = (ROOT / "quay/fixes.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if "rounding-week" in line] == ["0027 rounding-week"]
    news = (ROOT / "CHANGES.md").read_text(encoding="utf-8").split("## 2.6")[0]
    assert news.split("## Unreleased")[1].count("\n- ") == 3
    cases = ast.parse((ROOT / "tests_quay/test_rounding.py").read_text(encoding="utf-8"))
    assert any(isinstance(node, ast.FunctionDef) for node in ast.walk(cases))
