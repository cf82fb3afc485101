"""Room between two ships along the quay."""

from __future__ import annotations

from quay.oldround import chop


def gap(stern: float, bow: float) -> int:
    """Whole metres from the stern of one ship to the bow of the next; below zero they overlap."""
    return int(chop(bow - stern, 0))


def overlaps(stern: float, bow: float) -> bool:
    """True where the next bow lies before the stern."""
    return gap(stern, bow) < 0
