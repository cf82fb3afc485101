"""Shifts that cannot both stand: one person twice at a time, or too little rest between."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, pairwise

from rota.clock import format_stamp, site_day
from rota.intervals import Interval
from rota.model import Shift

MIN_REST = 11 * 60
MAX_WEEK = 48 * 60


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


def shared_stretch(first: Shift, second: Shift) -> Interval | None:
    """The stretch that two shifts have in common; None where they have no time in common."""
    if not first.interval.overlaps(second.interval):
        return None
    return Interval(max(first.start, second.start), min(first.end, second.end))


def overlaps(shifts: list[Shift]) -> list[Conflict]:
    """Every pair of shifts of one person that have time in common."""
    return [
        Conflict("overlap", first, second)
        for first, second in combinations(shifts, 2)
        if shared_stretch(first, second) is not None
    ]


def short_rests(shifts: list[Shift], required: int = MIN_REST) -> list[Conflict]:
    """Neighbouring shifts with less rest between them than the rules ask for.

    Shifts that touch are one long shift, and those that overlap are reported elsewhere.
    """
    return [
        Conflict("rest", first, second)
        for first, second in pairwise(shifts)
        if 0 < first.interval.gap_min(second.interval) < required
    ]


def full_weeks(shifts: list[Shift], allowed: int = MAX_WEEK) -> list[Conflict]:
    """Weeks of the site's calendar with more work than allowed, as their first and last shift.

    A shift counts for the week in which it begins.
    """
    weeks: defaultdict[tuple[int, int], list[Shift]] = defaultdict(list)
    for shift in shifts:
        year, week, _ = site_day(shift.start).isocalendar()
        weeks[year, week].append(shift)
    return [
        Conflict("week", week[0], week[-1])
        for week in weeks.values()
        if sum(shift.interval.length_min() for shift in week) > allowed
    ]


def find_conflicts(shifts: Iterable[Shift]) -> list[Conflict]:
    """All conflicts, person by person, in the order of time."""
    found: list[Conflict] = []
    for own in by_employee(shifts).values():
        found += overlaps(own) + short_rests(own) + full_weeks(own)
    return sorted(found, key=lambda c: (c.first.employee, c.first.interval, c.kind))
