"""Weeks, by which the shelves are filled."""

from collections import Counter
from collections.abc import Iterable
from datetime import date


def week_label(made: date) -> str:
    """The week of a day, as 2028-W09."""
    return made.strftime("%Y-W%W")


def week_counts(days: Iterable[date]) -> dict[str, int]:
    """How many wheels were made in which week, by week."""
    return dict(sorted(Counter(week_label(day) for day in days).items()))
