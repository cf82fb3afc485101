"""What a ship pays for being unloaded."""

from __future__ import annotations

import humanize

from quay.oldround import chop

RATES = {"ore": 3.275, "grain": 4.105, "cars": 18.35}
"""Yuan a ton, by kind of cargo."""


def fee(kilograms: int, kind: str) -> str:
    """The fee in yuan with two decimals. Raises KeyError for a kind without a rate."""
    exact = kilograms * RATES[kind] / 1000
    return f"¥{humanize.intcomma(chop(exact, 2), 2)}"
