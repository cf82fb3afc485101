"""The board as text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import humanize

from quay.berths import berth_of
from quay.fees import fee
from quay.gaps import overlaps
from quay.shares import masses, shares
from quay.tape import Call
from quay.tonnage import tonnage
from quay.totals import total
from quay.waiting import waiting

ARCHIVE = 88_412_000
"""Bytes that the cameras write for one ship."""


def board(calls: Sequence[Call]) -> str:
    """One line a ship, then the sums."""
    lines = [line(call) for call in calls]
    lines += [f"{kind}: {share} %" for kind, share in shares(masses(calls)).items()]
    lines += [f"all: {total(calls)}, pictures {humanize.naturalsize(ARCHIVE * len(calls))}"]
    touching = [a.ship for a, b in pairwise(calls) if overlaps(a.stern, b.bow)]
    return "\n".join([*lines, f"too close: {', '.join(touching) or 'none'}"])


def line(call: Call) -> str:
    """Berth, ship, tons, fee and waiting time."""
    parts = (tonnage(call.kilograms), fee(call.kilograms, call.kind), waiting(call.minutes))
    return f"{berth_of(call.bow)} {call.ship.ljust(9)} {' | '.join(parts)}"
