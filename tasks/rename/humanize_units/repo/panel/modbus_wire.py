"""Rows as registers for the old display: one frame a row, with a checksum at the end."""

from __future__ import annotations

from panel.row import Row

CODES = {"l/s": 3, "l/h": 4, "kWh": 9, "J": 8, "m³": 12, "l": 13, "W": 20, "var": 21}
OTHER = 255


def frame(row: Row) -> bytes:
    """Code of the symbol, length, the title in ASCII, sum modulo 256."""
    title = row.title.encode("ascii")
    body = bytes([wordUom(row.symbol), len(title)]) + title
    return body + bytes([sum(body) % 256])


def wordUom(symbol: str) -> int:
    """The display's own number for a symbol."""
    return CODES.get(symbol, OTHER)
