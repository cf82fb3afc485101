from decimal import Decimal as D

from abacus import memory, series, tables
from abacus.errors import EvalError
from abacus.ledger.loans import payment as booked
from abacus.ledger.tables import instalments
from abacus.money.loans import payment
from abacus.money.percent import split
from abacus.rounding import agree, to_places

import pytest


def test_short_values_stay():
    assert to_places(D("1.50"), 4) == D("1.50")
    assert agree(D("1.004"), D("1.0"), 2)
    with pytest.raises(EvalError):
        to_places(D(1), 21)


def test_running_figures():
    values = [D(1), D(2), D(6)]
    assert series.running_totals(values) == [1, 3, 9]
    assert series.running_means(values) == [1, D("1.5"), 3]
    assert series.growth(values) == [200, 300]


def test_range_of_a_table():
    assert tables.read_range("0:1:1/4") == (0, 1, D("0.25"))
    with pytest.raises(EvalError):
        tables.points(D(0), D(1), D(0))


def test_memory_file(tmp_path):
    path = str(tmp_path / "memory")
    memory.keep({"side": D("4.5")}, path)
    assert memory.recall(path) == {"side": D("4.5")}
    assert memory.memory_path({"ABACUS_MEMORY": "none"}) is None


def test_percentages_add_up():
    with pytest.raises(EvalError):
        split(D(10), [D(50), D(40)])


def test_loan_without_interest():
    assert payment(D(900), D(0), 9) == D("100.00")


def test_the_ledger_cuts():
    assert booked(D(100), D(0), 3) == D("33.33")
    assert instalments(D(900), D(0), [9]) == ["  9  100.00"]
