"""Paid hours for the monthly run. Owned by payroll; fed from the same rosters."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date

from rota.intervals import Interval
from rota.model import Shift
from rota.reporting import stretch_days
from rota.storage import read_stretch


def stretch_pay(stretch: Interval, cents_per_hour: int) -> int:
    """Cents earned in a stretch, at a flat rate."""
    return stretch.length_min() * cents_per_hour // 60


def record_pay(record: Mapping[str, str], cents_per_hour: int) -> int:
    """Cents earned by one record of a roster."""
    return stretch_pay(read_stretch(record), cents_per_hour)


def daily_totals(shifts: Iterable[Shift]) -> dict[tuple[str, date], int]:
    """Paid minutes by (employee, day); a shift is paid on the day it begins."""
    totals: defaultdict[tuple[str, date], int] = defaultdict(int)
    for shift in shifts:
        days = list(stretch_days(shift.interval))
        totals[shift.employee, days[0][0]] += sum(length for _, length in days)
    return dict(totals)
