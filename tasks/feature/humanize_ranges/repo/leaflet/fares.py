"""Price of the bus back to the start."""

from __future__ import annotations

from leaflet.walks import Walk


def fare(walk: Walk) -> str:
    """Whole euros."""
    return f"€ {sum(walk.euros) / 2:.0f}"


def is_cheap(walk: Walk) -> bool:
    """True where a day ticket costs more than the bus."""
    return max(walk.euros) < 6
