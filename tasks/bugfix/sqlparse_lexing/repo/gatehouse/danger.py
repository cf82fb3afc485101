"""Statements that destroy data."""

from __future__ import annotations

from gatehouse.clip import clip

RISKY = ("DROP", "TRUNCATE", "DELETE")


def dangers(text: str) -> list[str]:
    """One clipped piece for every place that drops, truncates or deletes."""
    found = []
    for line in text.splitlines():
        if any(word in line.upper() for word in RISKY):
            found.append(clip(line, 80))
    return found
