"""Dividing an amount by percentages."""

from decimal import ROUND_DOWN

from ..errors import EvalError
from . import CENT


def split(amount, percents):
    """Parts of an amount in the order of the percentages.

    The parts add up to the amount. Raises EvalError where the
    percentages do not add up to a hundred.
    """
    if sum(percents) != 100:
        raise EvalError("percentages must add up to 100")
    parts = []
    for percent in percents:
        share = amount * percent / 100
        parts.append(share.quantize(CENT, rounding=ROUND_DOWN))
    return parts


def with_tax(net, percent):
    """(net, tax, gross) of a net amount."""
    tax = (net * percent / 100).quantize(CENT, rounding=ROUND_DOWN)
    return net, tax, net + tax
