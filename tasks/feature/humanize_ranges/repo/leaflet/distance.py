"""Length of a walk."""

from __future__ import annotations

import humanize

from leaflet.walks import Walk


def distance(walk: Walk) -> str:
    """Kilometres, as text."""
    return f"{humanize.intcomma(sum(walk.km) / 2, 1)} km"
