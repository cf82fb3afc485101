"""The legend below the rows: every symbol once, with its meaning."""

from __future__ import annotations

from collections.abc import Iterable

import humanize

from panel.row import Row

MEANINGS = {
    "l/s": "litres a second",
    "l/h": "litres an hour",
    "kWh": "kilowatt-hours",
    "J": "joules",
    "m³": "cubic metres",
    "l": "litres",
    "W": "watts",
    "var": "volt-amperes reactive",
}


def legend(rows: Iterable[Row]) -> str:
    """One sentence about the symbols in use."""
    told = [f"{symbol} = {MEANINGS[symbol]}" for symbol in legendUoms(rows)]
    return humanize.natural_list(told) if told else ""


def legendUoms(rows: Iterable[Row]) -> list[str]:
    """Symbols of the rows in order of appearance, each once; unknown ones are left out."""
    return [symbol for symbol in dict.fromkeys(row.symbol for row in rows) if symbol in MEANINGS]
