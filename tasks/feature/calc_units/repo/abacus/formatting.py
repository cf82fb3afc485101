"""Ledger columns: amounts set to a common width."""

from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")


def plain_text(value):
    """An amount with two digits behind the point."""
    return format(value.quantize(CENT, rounding=ROUND_HALF_UP), "f")


def plain_column(values):
    """Amounts as texts of equal width, set flush right."""
    texts = [plain_text(value) for value in values]
    width = max((len(text) for text in texts), default=0)
    return [text.rjust(width) for text in texts]
