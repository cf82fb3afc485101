"""Amounts of money, held as whole cents."""

from __future__ import annotations

import re

AMOUNT = re.compile(r"(-?)(\d{1,9})(?:\.(\d{2}))?")


class AmountError(ValueError):
    """A text that is no amount of money."""


def parse_cents(text: str) -> int:
    """Cents of an amount such as `120`, `120.50` or `-3.05`.

    Raises AmountError for anything else; a single decimal is refused, too.
    """
    match = AMOUNT.fullmatch(text)
    if match is None:
        raise AmountError(f"expected an amount like 12.50, found {text!r}")
    sign, whole, cents = match.groups()
    value = int(whole) * 100 + int(cents or 0)
    return -value if sign else value


def format_cents(cents: int) -> str:
    """The amount with two decimals; parse_cents reads it back."""
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}{whole}.{rest:02d}"
