"""Swaps of shifts: who takes over whose day, and what that does to a roster."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from rota import RotaError
from rota.clock import parse_day, site_day
from rota.model import Shift, Swap
from rota.storage import load_table, save_table


def load_swaps(path: Path) -> list[Swap]:
    """The swaps of a plan, agreed or not."""
    return [
        Swap(parse_day(record["day"]), record["giver"], record["taker"], record["agreed"])
        for record in load_table(path, "swaps")
    ]


def save_swaps(path: Path, swaps: Iterable[Swap]) -> None:
    """Replace the swaps of a plan."""
    records = [
        {"day": s.day.isoformat(), "giver": s.giver, "taker": s.taker, "agreed": s.agreed}
        for s in swaps
    ]
    save_table(path, "swaps", records)


def swapped(shifts: Iterable[Shift], swap: Swap) -> list[Shift]:
    """The roster after an agreed swap: on its day each of the two works what the other had."""
    if not swap.agreed:
        raise RotaError(f"{swap.day}: {swap.taker} has not agreed")
    other = {swap.giver: swap.taker, swap.taker: swap.giver}
    return [
        replace(shift, employee=other.get(shift.employee, shift.employee))
        if site_day(shift.start) == swap.day
        else shift
        for shift in shifts
    ]
