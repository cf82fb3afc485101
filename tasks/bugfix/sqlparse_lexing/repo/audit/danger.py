"""Danger sheet of the auditors: one row for every line that destroys data."""

from __future__ import annotations

RISKY = ("DROP", "TRUNCATE", "DELETE")


def sheet(text: str) -> list[tuple[int, str]]:
    """Line numbers from 1, and the first risky word of the line."""
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        hits = [word for word in RISKY if word in line.upper()]
        if hits:
            rows.append((number, hits[0]))
    return rows
