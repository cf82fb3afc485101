"""Functions that a line can call.

`REGISTRY` maps the name in the language to the Python function and the
numbers of arguments it takes: (function, fewest, most), where None as
`most` means any number. `call_builtin` is the only way in.
"""

from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal

from .errors import EvalError

MOST_PLACES = 20


def square_root(value):
    if value < 0:
        raise EvalError("root of a negative number")
    return value.sqrt()


def floor(value):
    return value.to_integral_value(rounding=ROUND_FLOOR)


def rounded(value, places=Decimal(0)):
    """Half goes up, as on paper. `places` is a small whole number."""
    if places != places.to_integral_value() or places < 0:
        raise EvalError("places must be a whole number")
    if places > MOST_PLACES:
        raise EvalError("too many places")
    step = Decimal(1).scaleb(-int(places))
    return value.quantize(step, rounding=ROUND_HALF_UP)


def total(*values):
    return sum(values, Decimal(0))


def mean(*values):
    return total(*values) / len(values)


REGISTRY = {
    "abs": (abs, 1, 1),
    "floor": (floor, 1, 1),
    "max": (max, 1, None),
    "mean": (mean, 1, None),
    "min": (min, 1, None),
    "round": (rounded, 1, 2),
    "sqrt": (square_root, 1, 1),
    "sum": (total, 0, None),
}


def call_builtin(name, arguments, position=None):
    """The value of a call.

    Raises EvalError for an unknown function, a wrong number of
    arguments, or an argument outside the function's domain.
    """
    if name not in REGISTRY:
        raise EvalError(f"unknown function {name}", position)
    function, fewest, most = REGISTRY[name]
    given = len(arguments)
    if given < fewest or (most is not None and given > most):
        raise EvalError(f"{name}: {counted(fewest, most)}", position)
    if name in ("max", "min") and given == 1:
        return arguments[0]
    try:
        return function(*arguments)
    except EvalError as error:
        raise EvalError(f"{name}: {error.message}", position) from None


def counted(fewest, most):
    """How many arguments a function wants, for an error text."""
    if most is None:
        return f"wants {fewest} or more arguments"
    if fewest == most:
        return f"wants {fewest} argument(s)"
    return f"wants {fewest} to {most} arguments"
