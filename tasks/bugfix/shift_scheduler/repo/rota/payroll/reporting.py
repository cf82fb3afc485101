"""Paid hours for the monthly run. Owned by payroll; fed from the same rosters."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date

from rota.model import Shift


def daily_totals(shifts: Iterable[Shift]) -> dict[tuple[str, date], int]:
    """Paid minutes by (employee, day); a shift is paid on the day it begins."""
    totals: defaultdict[tuple[str, date], int] = defaultdict(int)
    for shift in shifts:
        totals[shift.employee, shift.start.date()] += shift.interval.length_min()
    return dict(totals)
