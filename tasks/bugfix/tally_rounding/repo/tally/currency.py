"""Amounts in other currencies, by the rates of the day."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from tally.entries import Posting
from tally.feed.currency import SCALE, rate_on
from tally.money import AmountError, parse_cents

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


def parse_foreign(text: str) -> tuple[str, int]:
    """Code and cents of an amount such as `USD 120.50` or `120.50`.

    An amount without a code is in euros. Raises AmountError for other text.
    """
    words = text.split()
    if len(words) == 1:
        words.insert(0, HOME)
    if len(words) != 2 or len(words[0]) != 3 or not words[0].isupper():
        raise AmountError(f"expected an amount like USD 12.50, found {text!r}")
    return words[0], parse_cents(words[1])


def total_in_home(amounts: Iterable[tuple[str, int]], day: date) -> int:
    """Euro cents for amounts of several currencies, each converted alone."""
    return sum(to_home(cents, code, day) for code, cents in amounts)


def settled(cents: int, code: str, invoiced: date, paid: date) -> list[Posting]:
    """What a payment in another currency brings, and the gain since the invoice."""
    owed = to_home(cents, code, invoiced)
    came = to_home(cents, code, paid)
    parts = [Posting("bank", came), Posting("receivable", -owed)]
    if came != owed:
        parts.append(Posting(GAIN_ACCOUNT, owed - came))
    return parts
