"""What the labour calendar says about a moment or a shift: weekends, holidays, nights."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import date, datetime, timedelta

from rota import RotaError
from rota.clock import site_day, to_site
from rota.compat import old_name
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


def span_nights(span: Interval) -> Iterator[Interval]:
    """The parts of a span that lie in the night window, in order."""
    begun: datetime | None = None
    cursor = span.start
    while cursor < span.end:
        if is_night(cursor) and begun is None:
            begun = cursor
        elif not is_night(cursor) and begun is not None:
            yield Interval(begun, cursor)
            begun = None
        cursor += MINUTE
    if begun is not None:
        yield Interval(begun, span.end)


night_stretches = old_name("night_stretches", span_nights, until="1.2")


def night_length(interval: Interval) -> int:
    """Minutes of night work in a stretch."""
    return sum(night.length_min() for night in span_nights(interval))


def night_share(interval: Interval) -> float:
    """The part of a stretch that is night work, from 0 to 1."""
    whole = interval.length_min()
    if whole == 0:
        raise RotaError("a shift of no length has no night share")
    return night_length(interval) / whole


def pay_class(interval: Interval, holidays: Collection[date] = ()) -> str:
    """The class under which a shift is paid; the best one for the employee wins."""
    if is_holiday(interval.start, holidays):
        return "holiday"
    if night_share(interval) >= 0.5:
        return "night"
    if is_weekend(interval.start):
        return "weekend"
    return "plain"
