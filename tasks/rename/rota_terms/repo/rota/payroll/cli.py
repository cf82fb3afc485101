"""The monthly command of payroll: paid hours of one period as comma separated values."""

import sys
from datetime import date
from pathlib import Path

from rota.intervals import Interval
from rota.payroll.reporting import daily_totals
from rota.storage import load_roster


def stretch_text(stretch: Interval) -> str:
    """A stretch on a pay slip."""
    return f"{stretch.start:%d.%m. %H:%M}, {stretch.length_min()} min"


def main(argv: list[str]) -> int:
    """Write the lines of one pay period, given as [first day, day after the last)."""
    roster, since, until = argv
    totals = daily_totals(load_roster(Path(roster)))
    for (employee, day), length in sorted(totals.items()):
        if date.fromisoformat(since) <= day < date.fromisoformat(until):
            sys.stdout.write(f"{employee},{day},{length}\n")
    return 0
