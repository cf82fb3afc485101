"""Heat that leaves the exchanger."""

from __future__ import annotations

import humanize

from panel.row import Row

JOULES_PER_KWH = 3_600_000
LIMIT = 10 * JOULES_PER_KWH


def heat_row(bus, hours: float = 1.0) -> Row:
    """Heat over some hours at the present rate (watts on the bus)."""
    joules = bus.read("heat") * hours * 3600
    symbol = heatUom(joules)
    if symbol == "kWh":
        return Row("Heat", f"{humanize.intcomma(joules / JOULES_PER_KWH, 1)} kWh", symbol)
    return Row("Heat", humanize.metric(joules, symbol), symbol)


def heatUom(joules: float) -> str:
    """Bills are in kWh; small amounts are clearer in joules."""
    return "kWh" if abs(joules) >= LIMIT else "J"
