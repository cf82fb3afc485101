"""Holidays of the pilot site: days without names."""

from datetime import date
from pathlib import Path

from rota.storage import load_table


def load_holidays(path: Path) -> set[date]:
    """The holidays of a plan."""
    return {date.fromisoformat(record["day"]) for record in load_table(path, "holidays")}
