"""A month on one screen: a line for each person, a cell for each day."""

from __future__ import annotations

import calendar
from collections.abc import Iterable
from datetime import date, timedelta

from rota.calendar_rules import night_share
from rota.clock import day_start, site_day
from rota.intervals import Interval
from rota.model import Shift

FREE = "."
MARKS = {True: "N", False: "D"}


def month_days(year: int, month: int) -> list[date]:
    """All days of a month."""
    count = calendar.monthrange(year, month)[1]
    return [date(year, month, number) for number in range(1, count + 1)]


def stretch_cells(stretch: Interval) -> dict[date, str]:
    """The cells that a stretch fills: N on days that are mostly night, D on others."""
    cells: dict[date, str] = {}
    day = site_day(stretch.start)
    while day_start(day) < stretch.end:
        first = max(stretch.start, day_start(day))
        last = min(stretch.end, day_start(day + timedelta(days=1)))
        if first < last:
            cells[day] = MARKS[night_share(Interval(first, last)) > 0.5]
        day += timedelta(days=1)
    return cells


def month_lines(shifts: Iterable[Shift], year: int, month: int) -> list[str]:
    """One line for each employee of the month, in order of their names."""
    filled: dict[str, dict[date, str]] = {}
    for shift in shifts:
        filled.setdefault(shift.employee, {}).update(stretch_cells(shift.interval))
    width = max((len(employee) for employee in filled), default=0)
    return [
        f"{employee:<{width}}  " + "".join(cells.get(day, FREE) for day in month_days(year, month))
        for employee, cells in sorted(filled.items())
    ]
