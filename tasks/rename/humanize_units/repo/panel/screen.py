"""The whole panel."""

from __future__ import annotations

from panel.flow import flow_row
from panel.heat import heat_row
from panel.legend import legend
from panel.log import log_row
from panel.power import power_row
from panel.row import Row
from panel.tank import tank_row


def rows(bus) -> list[Row]:
    """All rows, from top to bottom."""
    return [flow_row(bus), heat_row(bus), tank_row(bus), power_row(bus), log_row(bus)]


def screen(bus) -> str:
    """Text of the panel."""
    shown = rows(bus)
    return "\n".join([*(row.line() for row in shown), "", legend(shown)])
