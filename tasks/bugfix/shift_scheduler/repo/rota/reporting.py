"""Figures from a roster: who worked how long on which day, and how much of it at night."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import date

from rota.calendar_rules import night_length
from rota.model import Shift

DayKey = tuple[str, date]


def daily_totals(shifts: Iterable[Shift]) -> dict[DayKey, int]:
    """Minutes worked by (employee, day)."""
    totals: defaultdict[DayKey, int] = defaultdict(int)
    for shift in shifts:
        totals[shift.employee, shift.start.date()] += shift.interval.length_min()
    return dict(totals)


def night_totals(shifts: Iterable[Shift]) -> dict[str, int]:
    """Minutes of night work by employee."""
    totals: defaultdict[str, int] = defaultdict(int)
    for shift in shifts:
        totals[shift.employee] += night_length(shift.interval)
    return dict(totals)


def hours_text(length: int) -> str:
    """A length in minutes as hours, like 7:05."""
    return f"{length // 60}:{length % 60:02d}"


def table(totals: dict[DayKey, int]) -> list[str]:
    """The lines of a small table, sorted by employee and day."""
    width = max((len(employee) for employee, _ in totals), default=0)
    return [
        f"{employee:<{width}}  {day.isoformat()}  {hours_text(length):>6}"
        for (employee, day), length in sorted(totals.items())
    ]
