"""What the labour calendar says about a moment or a shift: weekends, holidays, nights."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime, timedelta

from rota import RotaError
from rota.clock import site_day, to_site
from rota.intervals import Interval

WEEKEND = (5, 6)
NIGHT_START = 22
NIGHT_END = 6
MINUTE = timedelta(minutes=1)


def is_weekend(moment: datetime) -> bool:
    """Whether the site sees this moment on a Saturday or Sunday."""
    return site_day(moment).weekday() in WEEKEND


def is_holiday(moment: datetime, holidays: Collection[date]) -> bool:
    """Whether the site sees this moment on one of the given days."""
    return site_day(moment) in holidays


def is_night(moment: datetime) -> bool:
    """Whether the moment lies in the night window of the site."""
    hour = to_site(moment).hour
    return hour >= NIGHT_START or hour < NIGHT_END


def night_length(interval: Interval) -> int:
    """Minutes of the stretch that lie in the night window."""
    cursor, found = interval.start, 0
    while cursor < interval.end:
        found += is_night(cursor)
        cursor += MINUTE
    return found


def night_share(interval: Interval) -> float:
    """The part of the stretch that lies in the night window, from 0 to 1."""
    whole_min = interval.length_min()
    if whole_min == 0:
        raise RotaError("a shift of no length has no night share")
    return night_length(interval) / whole_min


def pay_class(interval: Interval, holidays: Collection[date] = ()) -> str:
    """The class under which a shift is paid; the best one for the employee wins."""
    if is_holiday(interval.start, holidays):
        return "holiday"
    if night_share(interval) >= 0.5:
        return "night"
    if is_weekend(interval.start):
        return "weekend"
    return "plain"
