"""Tons of a ship, as the board shows them."""

from __future__ import annotations

import humanize


def tonnage(kilograms: int) -> str:
    """Tons with one decimal and commas."""
    tons = int(kilograms / 100) / 10
    return f"{humanize.intcomma(tons, 1)} t"
