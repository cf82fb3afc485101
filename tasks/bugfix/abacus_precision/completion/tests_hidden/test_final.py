from decimal import Decimal as D
from pathlib import Path

from abacus import calculate, memory, series, tables
from abacus.config import Settings
from abacus.fixes import FIXES
from abacus.money.loans import payment
from abacus.money.percent import split
from abacus.rounding import to_places
from abacus.session import Session

ROOT = Path(__file__).parents[1]


def test_rounding_stays_decimal():
    assert to_places(D("2.675"), 2) == D("2.68")
    assert to_places(D("0.125"), 2) == D("0.12")


def test_printing_rounds():
    assert calculate("2 / 3") == "0.6666666667"
    assert calculate("1200 / 1") == "1200"


def test_literals_are_taken_as_written():
    settings = Settings()
    settings.update("places", "25")
    assert Session(settings).run_line("0.1 + 0.2") == "0.3"


def test_digits_in_reserve():
    session = Session()
    assert session.value("1 / 3 * 3") == 1
    assert session.value("2 ^ 0.5 * 2 ^ 0.5") == 2


def test_round_function():
    assert calculate("round(2.675, 2)") == "2.68"
    assert calculate("round(0.125, 2)") == "0.13"


def test_parts_add_up():
    parts = split(D("0.05"), [D(50), D(50)])
    assert parts == [D("0.03"), D("0.02")]
    assert sum(split(D("19.99"), [D(15), D(85)])) == D("19.99")


def test_running_means():
    third = D(1) / 3
    assert series.running_means([third] * 3000)[-1] == third


def test_payment():
    assert payment(D(10000), D(5), 36) == D("299.71")
    assert payment(D(900), D(0), 9) == D("100.00")


def test_memory_keeps_all_digits(tmp_path):
    path = str(tmp_path / "memory")
    third = D(1) / 3
    memory.keep({"third": third, "k": D("1200")}, path)
    assert memory.recall(path) == {"third": third, "k": D("1200")}
    assert "1200" in Path(path).read_text(encoding="utf-8")


def test_tables():
    xs = tables.points(*tables.read_range("0:2:2/3"))
    assert len(xs) == 4
    assert tables.cell(D("0.665"), 2) == "0.67"


def test_told_once():
    assert len([1 for name, _ in FIXES if name == "exact-decimals"]) == 1
    news = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("## 0.8.4")[0]
    assert news.lower().count("decimal") == 1
    assert "cut off" not in (ROOT / "docs/precision.md").read_text(encoding="utf-8")
