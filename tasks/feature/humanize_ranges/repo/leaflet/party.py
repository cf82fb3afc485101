"""How many people walk together."""

from __future__ import annotations

import humanize

from leaflet.walks import Walk


def party(walk: Walk) -> str:
    """A word for small parties, a numeral for others."""
    return f"for {humanize.apnumber(sum(walk.people) // 2)} people"


def needs_warden(walk: Walk) -> bool:
    """Parties of ten and more are led by a warden."""
    return max(walk.people) >= 10
