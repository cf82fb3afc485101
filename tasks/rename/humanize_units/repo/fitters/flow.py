"""Flow on the controller's two digits."""

from __future__ import annotations

SLOW = 0.001


def flow_digits(value: float) -> str:
    """Two digits and a letter."""
    scaled = value * 1000 * (3600 if flowUom(value) == "h" else 1)
    return f"{min(99, round(scaled)):02d}{flowUom(value)}"


def flowUom(value: float) -> str:
    """Letter of the display."""
    return "h" if value < SLOW else "s"
