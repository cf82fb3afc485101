"""What the oil tank still holds."""

from __future__ import annotations

import humanize

from panel.row import Row

RESERVE = 0.4


def tank_row(bus) -> Row:
    """Level of the tank; a mark in front once the reserve is reached."""
    cubic_metres = bus.read("tank")
    symbol = tankUom(cubic_metres)
    value = cubic_metres if symbol == "m³" else cubic_metres * 1000
    mark = "! " if cubic_metres <= RESERVE else ""
    return Row("Tank", f"{mark}{humanize.intcomma(value, 2)} {symbol}", symbol)


def tankUom(cubic_metres: float) -> str:
    """Litres below one cubic metre."""
    return "m³" if cubic_metres >= 1 else "l"
