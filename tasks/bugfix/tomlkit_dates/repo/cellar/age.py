"""How old a wheel is."""

from collections.abc import Iterable, Mapping
from typing import Any

from cellar.clock import today_on


def days_old(wheel: Mapping[str, Any]) -> int:
    """Days since a wheel was made: 0 on that day. `made` may be a day or a moment."""
    return (today_on() - wheel["made"]).days + 1


def oldest(wheels: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The wheel that has been here longest."""
    return max(wheels, key=days_old)


def age_words(days: int) -> str:
    """An age as it is said to visitors."""
    if days < 14:
        return f"{days} days"
    return f"{days // 7} weeks"
