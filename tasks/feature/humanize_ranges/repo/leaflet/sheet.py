"""The page of a walk."""

from __future__ import annotations

from leaflet.climb import climb
from leaflet.distance import distance
from leaflet.fares import fare
from leaflet.party import party
from leaflet.walks import Walk


def sheet(walk: Walk) -> str:
    """Name, numbers and the time it takes."""
    time = f"{sum(walk.hours) / 2:.1f} h"
    numbers = [distance(walk), climb(walk), party(walk), fare(walk), time]
    return "\n".join([walk.name, "=" * len(walk.name), *(f"* {number}" for number in numbers)])
