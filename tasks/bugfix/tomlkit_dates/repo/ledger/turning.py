"""Turnings as the board counts them: in working days."""

from datetime import date, timedelta


def next_turn(turned: date, every: int) -> date:
    """The day after so many working days."""
    while every:
        turned += timedelta(days=1)
        every -= turned.weekday() < 5
    return turned
