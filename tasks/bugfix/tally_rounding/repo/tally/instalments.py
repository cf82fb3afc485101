"""A sum that is paid month by month."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


class PlanError(ValueError):
    """A plan that has no months, or an odd day of payment."""


@dataclass(frozen=True)
class Instalment:
    """One month's part of the sum."""

    due: date
    cents: int


def equal_parts(cents: int, months: int) -> list[int]:
    """Parts that differ by a cent at most; the first ones are larger."""
    if months < 1:
        raise PlanError(f"expected at least one month, found {months}")
    low, larger = divmod(abs(cents), months)
    sign = -1 if cents < 0 else 1
    return [sign * (low + (month < larger)) for month in range(months)]


def plan(cents: int, months: int, first: date) -> list[Instalment]:
    """The instalments, one a month, all on the same day of the month."""
    if first.day > 28:
        raise PlanError(f"{first}: some months do not have such a day")
    parts = equal_parts(cents, months)
    return [Instalment(_month_after(first, number), part) for number, part in enumerate(parts)]


def _month_after(first: date, number: int) -> date:
    years, month = divmod(first.month - 1 + number, 12)
    return first.replace(year=first.year + years, month=month + 1)


def open_sum(instalments: list[Instalment], day: date) -> int:
    """Cents that are due later than on the given day."""
    return sum(each.cents for each in instalments if each.due > day)
