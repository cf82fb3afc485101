"""The Austrian levy on advertising, part of a cent cut off."""

from __future__ import annotations

from collections.abc import Iterable

PERMILLE = 50


def levy_on(fees: Iterable[int], permille: int = PERMILLE) -> int:
    """The levy in cents on what advertisers paid."""
    total = sum(fees)
    return int(total * permille / 1000)
