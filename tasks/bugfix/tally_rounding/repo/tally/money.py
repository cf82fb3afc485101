"""Amounts of money, held as whole cents, and how they are divided.

Three modes say what becomes of part of a cent. DOWN cuts it off. HALF_UP
takes the nearest cent, and of two equally near ones the larger amount.
HALF_EVEN takes the nearest cent, and of two equally near ones the even.
"""

from __future__ import annotations

import re
import warnings

DOWN = "down"
HALF_UP = "half_up"
HALF_EVEN = "half_even"
MODES = (DOWN, HALF_UP, HALF_EVEN)

AMOUNT = re.compile(r"(-?)(\d{1,9})(?:\.(\d{2}))?")


class AmountError(ValueError):
    """A text that is no amount of money, or a mode that does not exist."""


def parse_cents(text: str) -> int:
    """Cents of an amount such as `120`, `120.50` or `-3.05`.

    Raises AmountError for anything else; a single decimal is refused, too.
    """
    match = AMOUNT.fullmatch(text)
    if match is None:
        raise AmountError(f"expected an amount like 12.50, found {text!r}")
    sign, whole_part, cents = match.groups()
    value = int(whole_part) * 100 + int(cents or 0)
    return -value if sign else value


def format_cents(cents: int) -> str:
    """The amount with two decimals; parse_cents reads it back."""
    sign = "-" if cents < 0 else ""
    whole_part, cents_part = divmod(abs(whole(cents)), 100)
    return f"{sign}{whole_part}.{cents_part:02d}"


def whole(cents: int) -> int:
    """The amount itself, with a warning where it has part of a cent."""
    if not isinstance(cents, int):
        warnings.warn(f"{cents!r} has part of a cent", stacklevel=2)
    return int(cents)


def divided(numerator: int, denominator: int, how: str) -> int:
    """Whole cents of a division by a positive number; `how` is a mode.

    Raises AmountError for a mode that does not exist.
    """
    if how not in MODES:
        raise AmountError(f"expected one of {', '.join(MODES)}, found {how!r}")
    low, remainder = divmod(whole(numerator), denominator)
    return low + _step(low, 2 * remainder - denominator, how)


def _step(low: int, beyond_half: int, how: str) -> int:
    """1 where the next larger amount is wanted, else 0."""
    if how == DOWN or beyond_half < 0:
        return 0
    if beyond_half > 0 or how == HALF_UP:
        return 1
    return low % 2
