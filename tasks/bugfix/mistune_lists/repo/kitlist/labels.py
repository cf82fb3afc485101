"""Labels for tackle bags: what the bag is, and below it who keeps it."""

from __future__ import annotations

from collections.abc import Iterable

from kitlist.entries import Entry


def label(bag: Entry) -> str:
    """Two lines for "Bag B (40 m) (Owen)"; the keeper is what stands last in brackets."""
    text, _, rest = bag.text.partition(" (")
    return f"{text}\n{rest.partition(')')[0]}"


def labels(entries: Iterable[Entry]) -> list[str]:
    """A label for every bag, that is for everything on the first level."""
    return [label(each) for each in entries if each.depth == 1]
