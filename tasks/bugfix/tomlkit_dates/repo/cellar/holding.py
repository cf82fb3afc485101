"""Wheels that may not leave the house yet."""

from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Any

HOLD_DAYS = 45


def is_held(made: date, seen: date) -> bool:
    """Whether a wheel is still in its hold; the day of making is the first day of it."""
    return made < seen < made + timedelta(days=HOLD_DAYS - 1)


def free_wheels(wheels: Iterable[Mapping[str, Any]], seen: date) -> list[str]:
    """Marks of wheels that may leave, the oldest first."""
    free = [wheel for wheel in wheels if not is_held(wheel["made"], seen)]
    return [wheel["mark"] for wheel in sorted(free, key=lambda wheel: wheel["made"])]
