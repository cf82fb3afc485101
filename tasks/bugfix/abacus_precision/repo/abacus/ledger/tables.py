"""The ledger's sheet of instalments by number of months."""

from decimal import ROUND_DOWN, Decimal

from .loans import payment


def cell(value, places):
    """A value with exactly `places` digits behind the point."""
    step = Decimal(1).scaleb(-places)
    return format(value.quantize(step, rounding=ROUND_DOWN), "f")


def instalments(principal, rate, terms):
    """One line per term: months and instalment."""
    return [f"{n:>3}  {cell(payment(principal, rate, n), 2)}" for n in terms]
