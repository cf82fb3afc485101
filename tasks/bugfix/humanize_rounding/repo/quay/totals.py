"""Sums over a shift."""

from __future__ import annotations

from collections.abc import Iterable

import humanize

from quay.oldround import chop
from quay.tape import Call


def total(calls: Iterable[Call]) -> str:
    """Tons of all ships with one decimal."""
    tons = sum(chop(call.kilograms / 1000, 1) for call in calls)
    return f"{humanize.intcomma(tons, 1)} t"
