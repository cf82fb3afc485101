"""Validators of our own."""

import re
from datetime import date

from validators import validator

SHELFMARK = re.compile(r"[A-Z]{2,3} [0-9]{1,4}(\.[0-9]+)?( [a-z]{3})?")


@validator
def shelfmark(value: str, /):
    """Letters of the field, a number, and perhaps three letters of the author."""
    return SHELFMARK.fullmatch(value) is not None


@validator
def day(value: str, /, *, after: str = "0001-01-01"):
    """A date like 2025-09-30, later than `after`."""
    return date.fromisoformat(value) > date.fromisoformat(after)


@validator
def amount(value: str, /, *, most: float):
    """Euros with a point, more than nothing and not more than `most`."""
    return re.fullmatch(r"[0-9]+(\.[0-9]{2})?", value) and 0 < float(value) <= most
