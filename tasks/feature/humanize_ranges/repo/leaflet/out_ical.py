"""Walks as entries of a calendar."""

from __future__ import annotations

from collections.abc import Iterable

from leaflet.walks import Walk

HEAD = "BEGIN:VCALENDAR\nVERSION:2.0"
TAIL = "END:VCALENDAR"


def calendar(walks: Iterable[Walk]) -> str:
    """A calendar with one to-do for each walk."""
    return "\n".join([HEAD, *(entry(walk) for walk in walks), TAIL])


def entry(walk: Walk) -> str:
    """One to-do; its summary tells the time it takes."""
    time = f"{sum(walk.hours) / 2:.1f} h"
    return f"BEGIN:VTODO\nSUMMARY:{walk.name}, {time}\nEND:VTODO"
