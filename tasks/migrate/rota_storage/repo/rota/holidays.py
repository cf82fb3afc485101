"""Days on which the site is closed, with the names that people know them by."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path

from rota.clock import parse_day
from rota.storage import load_table, save_table


def load_holidays(path: Path) -> dict[date, str]:
    """The holidays of a plan and their names, in order."""
    records = load_table(path, "holidays")
    return {parse_day(record["day"]): record["name"] for record in records}


def save_holidays(path: Path, holidays: Mapping[date, str]) -> None:
    """Replace the holidays of a plan."""
    records = [{"day": day.isoformat(), "name": name} for day, name in sorted(holidays.items())]
    save_table(path, "holidays", records)


def working_days(holidays: Mapping[date, str], first: date, last: date) -> list[date]:
    """Days from the first to the last that are neither weekend nor holiday."""
    days = (first + timedelta(days=n) for n in range((last - first).days + 1))
    return [day for day in days if day.weekday() < 5 and day not in holidays]
