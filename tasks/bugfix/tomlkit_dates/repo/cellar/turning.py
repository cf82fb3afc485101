"""When a wheel is turned."""

from datetime import date, timedelta

SUNDAY = 6


def next_turn(turned: date, every: int) -> date:
    """The day of the next turning; nobody comes on a Sunday, so that becomes a Monday."""
    due = turned.replace(day=turned.day + every)
    if due.weekday() == SUNDAY:
        due += timedelta(days=1)
    return due


def turns_until(turned: date, every: int, last: date) -> list[date]:
    """All turnings up to and with a day."""
    found = []
    while (turned := next_turn(turned, every)) <= last:
        found.append(turned)
    return found
