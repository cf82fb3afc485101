from decimal import Decimal

from abacus.errors import ParseError
from abacus.formatting import plain_column
from abacus.parsing import plain_value

import pytest


def test_plain_value():
    assert plain_value("12.50 + 2 * (3 - 1)") == Decimal("16.50")


def test_plain_column():
    column = plain_column([Decimal("9.5"), Decimal("120")])
    assert column == ["  9.50", "120.00"]


@pytest.mark.parametrize("text", ["", "(1", "1 2", "4 / 0"])
def test_what_is_no_amount(text):
    with pytest.raises(ParseError):
        plain_value(text)
