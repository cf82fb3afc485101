"""Words of the dealer's edition."""

from __future__ import annotations

WEIGHTS = {"heading": 2, "paragraph": 1}


def weight(block: str) -> int:
    """What a word counts in a block of the given name."""
    return WEIGHTS.get(block, 1)
