"""The shifts of a plan: reading, writing, and the moments in their stamps.

Stamps are written in site time with the offset, to the minute. A stamp without an offset comes
from the planning sheet and is wall clock time of the site.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from rota import RotaError
from rota.clock import day_start, format_stamp, site_offset
from rota.intervals import Interval
from rota.model import Shift
from rota.storage import load_table, save_table

NEEDED = ("employee", "start", "end")


def load_roster(path: Path) -> list[Shift]:
    """The shifts of a plan, in the order in which they were written."""
    return [read_shift(record) for record in load_table(path, "shifts")]


def save_roster(path: Path, shifts: Iterable[Shift]) -> None:
    """Replace the shifts of a plan."""
    records = [
        {
            "employee": shift.employee,
            "start": format_stamp(shift.start),
            "end": format_stamp(shift.end),
            "role": shift.role,
        }
        for shift in shifts
    ]
    save_table(path, "shifts", records)


def on_day(shifts: Iterable[Shift], day: date) -> list[Shift]:
    """Shifts that have any time on a day of the site, the earliest first."""
    whole = Interval(day_start(day), day_start(day + timedelta(days=1)))
    return sorted(
        (shift for shift in shifts if shift.interval.overlaps(whole)),
        key=lambda shift: (shift.interval, shift.employee),
    )


def roles(shifts: Iterable[Shift]) -> dict[str, set[str]]:
    """The roles in which each employee works."""
    found: dict[str, set[str]] = {}
    for shift in shifts:
        found.setdefault(shift.employee, set()).add(shift.role)
    return found


def read_shift(fields: Mapping[str, Any]) -> Shift:
    """One shift from its fields."""
    absent = [name for name in NEEDED if name not in fields]
    if absent:
        raise RotaError(f"a shift lacks {', '.join(absent)}")
    stretch = Interval(read_stamp(fields["start"]), read_stamp(fields["end"]))
    return Shift(fields["employee"], stretch, fields.get("role", "floor"))


def read_stamp(text: str) -> datetime:
    """The moment that a stamp means, in UTC."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise RotaError(f"expected a stamp like 2025-03-03T22:00+08:00, found {text!r}") from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=site_offset())
    return moment.astimezone(timezone.utc)
