"""How long a ship waited for its berth."""

from __future__ import annotations


def waiting(minutes: float) -> str:
    """Hours and minutes."""
    hours = int(minutes // 60)
    return f"{hours} h {minutes - hours * 60:.0f} min"
