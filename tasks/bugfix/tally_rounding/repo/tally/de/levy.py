"""The German levy on fees that are paid to artists."""

from __future__ import annotations

from collections.abc import Iterable

from tally.entries import Posting

PERMILLE = 50
FREE_CENTS = 70_000
"""A year's fees up to this sum are free of the levy."""


def levy_on(fees: Iterable[int], permille: int = PERMILLE) -> int:
    """The levy in cents on a year's fees."""
    total = sum(fees)
    if total <= FREE_CENTS:
        return 0
    return int(total * permille / 1000)


def levy_postings(fees: Iterable[int]) -> list[Posting]:
    """The levy as an expense that is owed; nothing for a small year."""
    cents = levy_on(fees)
    if cents == 0:
        return []
    return [Posting("levy", cents), Posting("levy_owed", -cents)]
