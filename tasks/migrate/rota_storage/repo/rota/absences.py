"""Who is away when."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date
from pathlib import Path

from rota.clock import parse_day, site_day
from rota.model import Absence, Shift
from rota.storage import load_table, save_table


def load_absences(path: Path) -> list[Absence]:
    """The absences of a plan."""
    return [
        Absence(record["employee"], parse_day(record["first"]), parse_day(record["last"]))
        for record in load_table(path, "absences")
    ]


def save_absences(path: Path, absences: Iterable[Absence]) -> None:
    """Replace the absences of a plan."""
    records = [
        {"employee": a.employee, "first": a.first.isoformat(), "last": a.last.isoformat()}
        for a in absences
    ]
    save_table(path, "absences", records)


def away(absences: Collection[Absence], employee: str, day: date) -> bool:
    """Whether somebody is away on a day."""
    return any(a.employee == employee and a.first <= day <= a.last for a in absences)


def impossible(shifts: Iterable[Shift], absences: Collection[Absence]) -> list[Shift]:
    """Shifts of people who are away on the day on which the shift begins."""
    return [s for s in shifts if away(absences, s.employee, site_day(s.start))]
