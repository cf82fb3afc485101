"""Metres uphill on a signpost."""

from __future__ import annotations


def climb(metres: tuple[int, int]) -> str:
    """Metres, rounded to tens."""
    return f"{round(sum(metres) / 2, -1):.0f} m"
