"""The monthly command of payroll: paid hours of one period as comma separated values."""

import sys
from datetime import date
from pathlib import Path

from rota.payroll.reporting import daily_totals
from rota.storage import load_roster


def in_days(totals: dict, since: date, until: date) -> dict:
    """The totals of a pay period; periods are handed over as [first day, day after the last)."""
    return {key: length for key, length in totals.items() if since <= key[1] < until}


def main(argv: list[str]) -> int:
    """Write the lines of one pay period."""
    roster, since, until = argv
    totals = daily_totals(load_roster(Path(roster)))
    chosen = in_days(totals, date.fromisoformat(since), date.fromisoformat(until))
    for (employee, day), length in sorted(chosen.items()):
        sys.stdout.write(f"{employee},{day},{length}\n")
    return 0
