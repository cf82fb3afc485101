"""Amounts in other currencies, by the rates of the day."""

from __future__ import annotations

from datetime import date

from tally.entries import Posting
from tally.feed.currency import SCALE, rate_on

HOME = "EUR"
GAIN_ACCOUNT = "exchange_gain"


def to_home(cents: int, code: str, day: date) -> int:
    """Euro cents for an amount in another currency.

    Raises RateError where the feed has no rate for it.
    """
    if code == HOME:
        return cents
    return round(cents * rate_on(code, day) / SCALE)


def from_home(cents: int, code: str, day: date) -> int:
    """An amount in another currency for euro cents. Raises RateError."""
    if code == HOME:
        return cents
    return round(cents * SCALE / rate_on(code, day))


def settled(cents: int, code: str, invoiced: date, paid: date) -> list[Posting]:
    """What a payment in another currency brings, and the gain since the invoice."""
    owed = to_home(cents, code, invoiced)
    came = to_home(cents, code, paid)
    parts = [Posting("bank", came), Posting("receivable", -owed)]
    if came != owed:
        parts.append(Posting(GAIN_ACCOUNT, owed - came))
    return parts
