"""Electric power of pumps and burner."""

from __future__ import annotations

import humanize

from panel.row import Row


def power_row(bus) -> Row:
    """Power with an SI prefix; reactive power is marked by its sign on the bus."""
    value = bus.read("power")
    symbol = powerUom(value)
    return Row("Power", humanize.metric(abs(value), symbol), symbol)


def powerUom(value: float) -> str:
    """Volt-amperes reactive where the bus reports a negative value."""
    return "var" if value < 0 else "W"
