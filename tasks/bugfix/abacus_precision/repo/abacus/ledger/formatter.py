"""Amounts as the ledger prints them: cut, never rounded up."""

from decimal import ROUND_DOWN, Decimal


def shortened(value, places):
    """At most `places` digits behind the point."""
    step = Decimal(1).scaleb(-places)
    return value.quantize(step, rounding=ROUND_DOWN)


def ledger_text(value):
    """An amount with two digits, its sign behind it."""
    text = format(shortened(abs(value), 2), "f")
    return text + ("-" if value < 0 else " ")
