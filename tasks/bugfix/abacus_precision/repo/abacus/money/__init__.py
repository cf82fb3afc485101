"""Sums of money: amounts are Decimals with two digits behind the point."""

from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


def to_cents(value):
    """A value as an amount of money."""
    return value.quantize(CENT, rounding=ROUND_HALF_UP)
