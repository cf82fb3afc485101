"""The poster at the start of a walk."""

from __future__ import annotations

import textwrap

from leaflet.walks import Walk

WIDTH = 30


def poster(walk: Walk) -> str:
    """Name in capitals and the time it takes, centred."""
    time = f"{sum(walk.hours) / 2:.0f} hours"
    lines = [*textwrap.wrap(walk.name.upper(), WIDTH), time]
    return "\n".join(line.center(WIDTH).rstrip() for line in lines)
