"""Austrian rules for late payers: interest by the day, part of a cent cut off."""

from __future__ import annotations

YEAR = 365
PERMILLE = 133
"""Yearly interest on arrears between companies, the base rate included."""


def interest(cents: int, days: int, permille: int = PERMILLE) -> int:
    """Interest on an overdue amount for so many days, in cents."""
    return cents * permille * days // (1000 * YEAR)
