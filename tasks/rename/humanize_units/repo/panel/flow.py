"""Water through the two circulation pumps."""

from __future__ import annotations

import humanize

from panel.row import Row

SLOW = 0.001
"""Cubic metres a second below which a pump counts as idling."""


def flow_row(bus) -> Row:
    """The flow as litres, a second or an hour."""
    value = bus.read("flow")
    symbol = flowUom(value)
    litres = value * 1000 * (3600 if symbol == "l/h" else 1)
    return Row("Flow", f"{humanize.intcomma(litres, 1)} {symbol}", symbol)


def flowUom(value: float) -> str:
    """An hour is the better measure where hardly anything moves."""
    return "l/h" if value < SLOW else "l/s"
