"""Power on the controller's two digits."""

from __future__ import annotations


def power_digits(value: float) -> str:
    """Two digits and a letter."""
    shown = abs(value) / (1000 if powerUom(value) == "k" else 1)
    return f"{min(99, round(shown)):02d}{powerUom(value)}"


def powerUom(value: float) -> str:
    """Letter of the display."""
    return "k" if abs(value) >= 100 else "w"
