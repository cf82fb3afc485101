"""A table of an expression: `x` runs from first to last in steps.

Used by `abacus --table 0:1:1/3 "x ^ 2"`. Both ends belong to the
table where the steps meet the last one.
"""

from decimal import ROUND_DOWN, Decimal

from .errors import EvalError
from .rounding import step_of

MOST_ROWS = 200


def points(first, last, step):
    """The values of x in order. Raises EvalError for a bad step."""
    if step <= 0 or last < first:
        raise EvalError("a table runs upwards")
    count = int((last - first) / step)
    if count >= MOST_ROWS:
        raise EvalError("too many rows")
    return [first + step * number for number in range(count + 1)]


def cell(value, places):
    """A value with exactly `places` digits behind the point."""
    return format(value.quantize(step_of(places), rounding=ROUND_DOWN), "f")


def table_lines(function, xs, places):
    """One line per x: x and its value, set flush right."""
    rows = [(cell(x, places), cell(function(x), places)) for x in xs]
    widths = [max(len(row[i]) for row in rows) for i in (0, 1)]
    return [f"{x:>{widths[0]}}  {y:>{widths[1]}}" for x, y in rows]


def read_range(text):
    """(first, last, step) from `0:1:0.25`. Raises EvalError."""
    try:
        first, last, step = (fraction(part) for part in text.split(":"))
    except (ValueError, ArithmeticError):
        raise EvalError("a range is first:last:step") from None
    return first, last, step


def fraction(text):
    """A number, or two numbers with a slash between."""
    above, _, below = text.partition("/")
    return Decimal(above) / Decimal(below or 1)
