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


def parse_table_cell(text: str) -> int:
    """Cents of a cell in a bank's table: `1.234,56 H`, `-12,00` or `7,5`.

    The letter S or H behind the number stands for debit or credit. Raises
    AmountError for a cell that holds something else.
    """
    number, _, letter = text.strip().partition(" ")
    if letter not in ("", "S", "H"):
        raise AmountError(f"expected S or H behind the amount, found {letter!r}")
    euros, _, decimals = number.replace(".", "").partition(",")
    cents = parse_cents(f"{euros}.{decimals:0<2}")
    return -cents if letter == "H" else cents


def format_table_cell(cents: int) -> str:
    """The amount as banks write it, with a letter for its side."""
    euros, decimals = format_cents(abs(cents)).split(".")
    grouped = f"{int(euros):,}".replace(",", ".")
    return f"{grouped},{decimals} {'H' if cents < 0 else 'S'}"


ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen "
    "fourteen fifteen sixteen seventeen eighteen nineteen"
).split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def in_words(cents: int) -> str:
    """The euros in words and the cents in digits, as a cheque wants it.

    Raises AmountError for a million and above, or for less than nothing.
    """
    euros, rest = divmod(whole(cents), 100)
    if not 0 <= euros < 1_000_000:
        raise AmountError(f"a cheque cannot be over {format_cents(cents)}")
    return f"{_number_words(euros)} euros and {rest:02d} cents"


def _number_words(number: int) -> str:
    if number < 20:
        return ONES[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return TENS[tens - 2] + (f"-{ONES[ones]}" if ones else "")
    size, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    many, rest = divmod(number, size)
    words = f"{_number_words(many)} {name}"
    return f"{words} {_number_words(rest)}" if rest else words


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
