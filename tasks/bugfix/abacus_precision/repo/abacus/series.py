"""Running figures over a column of values, one result per value."""

from decimal import Decimal

from .errors import EvalError


def running_totals(values):
    """The total so far after each value."""
    totals, total = [], Decimal(0)
    for value in values:
        total += value
        totals.append(total)
    return totals


def running_means(values):
    """The mean so far after each value, in the digits of the context."""
    means, mean = [], Decimal(0)
    for count, value in enumerate(values, 1):
        mean = (mean * (count - 1) + value) / count
        means.append(mean)
    return means


def growth(values):
    """Each value in percent of the one before. Raises EvalError."""
    if any(value == 0 for value in values[:-1]):
        raise EvalError("growth from zero has no percentage")
    return [100 * b / a for a, b in zip(values, values[1:])]
