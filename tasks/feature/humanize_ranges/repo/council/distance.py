"""Length of a walk on a signpost."""

from __future__ import annotations


def distance(km: tuple[float, float]) -> str:
    """Kilometres, rounded to halves."""
    return f"{round(sum(km)) / 2:g} km"
