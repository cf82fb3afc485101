"""Weight for the rescue team, who count in whole kilograms."""

from __future__ import annotations

from collections.abc import Iterable


def weight(rows: Iterable[tuple[int, int]]) -> int:
    """Kilograms of pairs (grams, amount)."""
    return sum(grams * amount for grams, amount in rows) // 1000
