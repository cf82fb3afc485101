"""Level on the controller's two digits."""

from __future__ import annotations


def tank_digits(cubic_metres: float) -> str:
    """Two digits and a letter."""
    value = cubic_metres if tankUom(cubic_metres) == "c" else cubic_metres * 100
    return f"{min(99, round(value)):02d}{tankUom(cubic_metres)}"


def tankUom(cubic_metres: float) -> str:
    """Letter of the display: cubic metres or hectolitres."""
    return "c" if cubic_metres >= 1 else "h"
