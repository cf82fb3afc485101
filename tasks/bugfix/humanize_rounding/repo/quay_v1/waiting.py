"""Waiting time on the pier's lamp board."""

from __future__ import annotations


def waiting(minutes: float) -> str:
    """Hours and minutes with a colon."""
    hours = int(minutes // 60)
    return f"{hours}:{minutes - hours * 60:02.0f}"
