"""When the site is staffed, and when nobody is there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta

from rota.clock import day_start, format_stamp
from rota.intervals import Interval, total_min
from rota.model import Shift

DAY = timedelta(days=1)


def staffed(shifts: Iterable[Shift], role: str | None = None) -> list[Interval]:
    """The times of all shifts, or of those in one role, in order."""
    return sorted(shift.interval for shift in shifts if role in (None, shift.role))


def stretch_gaps(stretch: Interval, taken: Iterable[Interval]) -> Iterator[Interval]:
    """What is left of a stretch when the times taken, given in order, are cut out."""
    cursor = stretch.start
    for part in taken:
        if part.start >= stretch.end:
            break
        if part.start > cursor:
            yield Interval(cursor, part.start)
        cursor = max(cursor, part.end)
    if cursor < stretch.end:
        yield Interval(cursor, stretch.end)


def empty_lines(shifts: Iterable[Shift], day: date) -> list[str]:
    """The times of one site day when nobody is there, a line for each."""
    whole = Interval(day_start(day), day_start(day + DAY))
    return [
        f"{format_stamp(gap.start)} to {format_stamp(gap.end)}"
        for gap in stretch_gaps(whole, staffed(shifts))
    ]


def staffed_share(shifts: Iterable[Shift], day: date) -> float:
    """The part of one site day that is staffed, from 0 to 1."""
    whole = Interval(day_start(day), day_start(day + DAY))
    gaps = stretch_gaps(whole, staffed(shifts))
    return 1 - total_min(gaps) / whole.length_min()
