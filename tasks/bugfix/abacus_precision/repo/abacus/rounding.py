"""Rounding of single values, for whoever needs it outside a line.

A value is rounded once, at the end of a calculation. Rounding it a
second time to fewer places may give another result than rounding the
original did, so nobody should hand on what has been rounded here.
"""

from decimal import Decimal

from .errors import EvalError

MOST_PLACES = 20


def step_of(places):
    """The smallest number with that many digits behind the point."""
    return Decimal(1).scaleb(-places)


def to_places(value, places):
    """The value with at most `places` digits behind the point.

    A value that is short enough comes back as it is. Raises EvalError
    for a number of places outside 0 to 20.
    """
    if not 0 <= places <= MOST_PLACES:
        raise EvalError("places must be from 0 to 20")
    if -value.as_tuple().exponent <= places:
        return value
    return Decimal(str(round(float(value), places)))


def agree(left, right, places):
    """True where two values differ by less than half a step."""
    return abs(left - right) * 2 < step_of(places)
