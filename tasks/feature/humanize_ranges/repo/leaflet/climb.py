"""Metres uphill."""

from __future__ import annotations

import humanize

from leaflet.walks import Walk

STEEP = 600


def climb(walk: Walk) -> str:
    """Metres with commas; steep walks carry a mark."""
    mark = " (steep)" if max(walk.metres) >= STEEP else ""
    return f"{humanize.intcomma(sum(walk.metres) // 2)} m{mark}"
