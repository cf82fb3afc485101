"""Numbers such as 2.1.3 before everything, for calling things out over the radio."""

from __future__ import annotations

from collections.abc import Iterable

from kitlist.entries import Entry


def outline(entries: Iterable[Entry]) -> list[str]:
    """A line for each, numbered within its parent."""
    counters = [0, 0, 0, 0, 0, 0]
    lines = []
    for each in entries:
        counters[each.depth - 1] += 1
        number = ".".join(map(str, counters[: each.depth]))
        lines.append(f"{number} {each.text}")
    return lines
