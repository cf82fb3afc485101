"""Shifts that cannot both stand: one person twice at a time, or too little rest between."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, pairwise

from rota.clock import format_stamp
from rota.model import Shift

MIN_REST = 11 * 60


@dataclass(frozen=True)
class Conflict:
    """Two shifts of one person, the earlier one first, and what is wrong between them."""

    kind: str
    first: Shift
    second: Shift

    def line(self) -> str:
        """One line for a person to read."""
        between = f"{format_stamp(self.first.end)} / {format_stamp(self.second.start)}"
        return f"{self.kind}: {self.first.employee}: {between}"


def by_employee(shifts: Iterable[Shift]) -> dict[str, list[Shift]]:
    """The shifts of each person in the order of time."""
    grouped: defaultdict[str, list[Shift]] = defaultdict(list)
    for shift in sorted(shifts, key=lambda shift: (shift.employee, shift.interval)):
        grouped[shift.employee].append(shift)
    return dict(grouped)


def overlaps(shifts: list[Shift]) -> list[Conflict]:
    """Every pair of shifts of one person that share time."""
    return [
        Conflict("overlap", first, second)
        for first, second in combinations(shifts, 2)
        if first.interval.overlaps(second.interval)
    ]


def short_rests(shifts: list[Shift], required: int = MIN_REST) -> list[Conflict]:
    """Neighbouring shifts with less rest between them than the rules ask for.

    Shifts that touch are one long shift, and those that overlap are reported elsewhere.
    """
    found = []
    for first, second in pairwise(shifts):
        rest_min = first.interval.gap_min(second.interval)
        if 0 < rest_min < required:
            found.append(Conflict("rest", first, second))
    return found


def find_conflicts(shifts: Iterable[Shift]) -> list[Conflict]:
    """All conflicts, person by person, in the order of time."""
    found: list[Conflict] = []
    for own in by_employee(shifts).values():
        found += overlaps(own) + short_rests(own)
    return sorted(found, key=lambda c: (c.first.employee, c.first.interval, c.kind))
