"""Weight of the kit in grams."""

from __future__ import annotations

from collections.abc import Iterable

from kitlist.entries import Entry

GRAMS = {"sling": 90, "karabiner": 75, "hanger": 25, "rope 40 m": 2600, "bandage": 40, "stove": 310}


def weight(entries: Iterable[Entry]) -> int:
    """Grams of everything; an amount counts for what is listed below it, too."""
    return sum(GRAMS.get(each.name, 0) * each.amount for each in entries)
