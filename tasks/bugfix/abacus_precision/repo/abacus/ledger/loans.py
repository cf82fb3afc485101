"""Loans as the ledger books them: the rate is a table value in cents."""

from decimal import ROUND_DOWN, Decimal

CENT = Decimal("0.01")


def payment(principal, rate, months):
    """The booked instalment, in the favour of the customer."""
    monthly = (rate / 12).quantize(CENT, rounding=ROUND_DOWN) / 100
    if monthly == 0:
        return (principal / months).quantize(CENT, rounding=ROUND_DOWN)
    factor = (1 + monthly) ** months
    due = principal * monthly * factor / (factor - 1)
    return due.quantize(CENT, rounding=ROUND_DOWN)
