"""The nights, when the compressor must not run and the cellar grows warmer."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, time
from typing import Any

from cellar.clock import now_at

NIGHT_FROM = time(22)
NIGHT_TO = time(6)


def in_night(moment: datetime) -> bool:
    """From ten in the evening until just before six in the morning."""
    return NIGHT_FROM <= moment.time() <= NIGHT_TO


def night_of(moment: datetime) -> date:
    """The day in whose evening a night began, for a moment of that night."""
    return moment.date()


def warmest(readings: Iterable[Mapping[str, Any]], night: date) -> float | None:
    """The highest reading of a night, None where there is none."""
    taken = [r for r in readings if in_night(r["at"]) and night_of(r["at"]) == night]
    return max((r["celsius"] for r in taken), default=None)


def running_night() -> date | None:
    """The night that is on at this moment, None by day."""
    moment = now_at()
    return night_of(moment) if in_night(moment) else None
