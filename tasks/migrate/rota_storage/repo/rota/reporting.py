"""Figures from a roster: who worked how long on which day, and how much of it at night."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, timedelta

from rota.calendar_rules import night_length
from rota.clock import day_start, site_day
from rota.intervals import Interval
from rota.model import Shift

DayKey = tuple[str, date]


def by_site_day(stretch: Interval) -> Iterator[tuple[date, int]]:
    """The site days that the stretch touches, with its minutes on each."""
    start = stretch.start
    while start < stretch.end:
        day = site_day(start)
        end = min(stretch.end, day_start(day + timedelta(days=1)))
        part_min = Interval(start, end).length_min()
        yield day, part_min
        start = end


def daily_totals(shifts: Iterable[Shift]) -> dict[DayKey, int]:
    """Minutes worked by (employee, day)."""
    totals: defaultdict[DayKey, int] = defaultdict(int)
    for shift in shifts:
        for day, part_min in by_site_day(shift.interval):
            totals[shift.employee, day] += part_min
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
