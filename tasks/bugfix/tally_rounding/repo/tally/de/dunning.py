"""German rules for late payers: interest by the day, and a flat charge."""

from __future__ import annotations

from datetime import date

from tally.entries import Posting

YEAR = 365
PERMILLE = 127
"""Yearly interest on arrears between companies, the base rate included."""
FLAT_CHARGE = 4000


def interest(cents: int, days: int, permille: int = PERMILLE) -> int:
    """Interest on an overdue amount for so many days, in cents."""
    return cents * permille * days // (1000 * YEAR)


def days_late(due: date, paid: date) -> int:
    """Days from the due day to the payment; none for an early one."""
    return max(0, (paid - due).days)


def dunned(cents: int, due: date, paid: date) -> list[Posting]:
    """What a late payer owes on top, as postings; nothing for others."""
    days = days_late(due, paid)
    if days == 0:
        return []
    charge = interest(cents, days) + FLAT_CHARGE
    return [Posting("receivable", charge), Posting("dunning", -charge)]
