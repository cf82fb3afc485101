"""Sum on the pier's lamp board."""

from __future__ import annotations

from collections.abc import Iterable


def total(kilograms: Iterable[int]) -> str:
    """Tons of all ferries with one decimal."""
    tons = sum(int(each / 100) / 10 for each in kilograms)
    return f"{tons:06.1f}"
