"""Numbers for the radio of the rescue team."""

from __future__ import annotations

from collections.abc import Iterable


def outline(depths: Iterable[int]) -> list[str]:
    """A number for each depth."""
    counters = [0, 0, 0]
    numbers = []
    for depth in depths:
        counters[depth - 1] += 1
        numbers.append("-".join(map(str, counters[:depth])))
    return numbers
