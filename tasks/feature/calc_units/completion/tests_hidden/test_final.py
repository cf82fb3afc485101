import io
from pathlib import Path

from abacus import calculate
from abacus.cli import run
from abacus.errors import CalcError, MeasureError
from abacus.features import FEATURES
from abacus.session import Session

import pytest


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("5 km + 300 m", "5.3 km"),
        ("90 min to h", "1.5 h"),
        ("2 * 3 kg", "6 kg"),
        ("10 m / 4", "2.5 m"),
        ("-5 km to m", "-5000 m"),
        ("1 km - 1 m to cm", "99900 cm"),
        ("magnitude(250 g to kg)", "0.25"),
        ("7 mod 3", "1"),
        ("max(1, 2)", "2"),
    ],
)
def test_amounts(text, printed):
    assert calculate(text) == printed


@pytest.mark.parametrize("text", ["1 km + 1 kg", "1 km + 1", "3 to m", "1 km to kg", "sqrt(4 m)"])
def test_what_does_not_fit(text):
    with pytest.raises(MeasureError):
        calculate(text)


def test_unknown_unit():
    with pytest.raises(CalcError):
        calculate("5 parsecs")
    with pytest.raises(MeasureError):
        calculate("5 km to parsecs")


def test_unit_names_are_free_for_variables():
    session = Session()
    session.run_line("m = 3")
    session.run_line("h = 2 km")
    assert session.run_line("m * h") == "6 km"


def test_command():
    out = io.StringIO()
    run(["--unit", "m", "1 km", "ans * 2 # twice"], io.StringIO(), out)
    assert out.getvalue() == "1000 m\n2000 m\n"
    with pytest.raises(MeasureError):
        run(["--unit", "parsec", "1 km"], io.StringIO(), out)


def test_listed_once():
    assert [name for name, _ in FEATURES].count("measures") == 1
    root = Path(__file__).parents[1]
    assert "\n## Units\n" in (root / "docs/grammar_guide.md").read_text(encoding="utf-8")
    unreleased = (root / "CHANGELOG.md").read_text(encoding="utf-8").split("## 0.8.2")[0]
    assert unreleased.count("unit") == 1
