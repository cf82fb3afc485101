"""Annuity loans: the same payment every month until nothing is left."""

from decimal import localcontext

from ..errors import EvalError
from . import to_cents


def payment(principal, rate, months):
    """The monthly payment; `rate` is in percent a year.

    Raises EvalError for a loan that lasts no month.
    """
    if months < 1:
        raise EvalError("a loan lasts a month or more")
    with localcontext() as context:
        context.prec = 28
        monthly = to_cents(rate / 12) / 100
        if monthly == 0:
            return to_cents(principal / months)
        factor = (1 + monthly) ** months
        return to_cents(principal * monthly * factor / (factor - 1))


def schedule(principal, rate, months):
    """(interest, repaid, left) for each month; the last clears it."""
    due, left, rows = payment(principal, rate, months), principal, []
    for month in range(1, months + 1):
        interest = to_cents(left * rate / 1200)
        repaid = left if month == months else due - interest
        left -= repaid
        rows.append((interest, repaid, left))
    return rows
