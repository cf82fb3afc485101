"""Shares of the kinds of cargo in a shift."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from quay.tape import Call


def masses(calls: Iterable[Call]) -> dict[str, int]:
    """Kilograms by kind, kinds in order of appearance."""
    found: Counter[str] = Counter()
    for call in calls:
        found[call.kind] += call.kilograms
    return dict(found)


def shares(parts: dict[str, int]) -> dict[str, int]:
    """Whole percents by kind. An empty shift has none."""
    total = sum(parts.values())
    if total == 0:
        return {}
    return {kind: int(100 * part / total) for kind, part in parts.items()}
