"""Name sheet of the auditors: tables by first letter."""

from __future__ import annotations

from collections import defaultdict


def sheet(text: str) -> dict[str, list[str]]:
    """Upper-case letter -> words that follow a FROM."""
    rows: dict[str, list[str]] = defaultdict(list)
    parts = text.split()
    for place, word in enumerate(parts[:-1]):
        if word.upper() == "FROM":
            rows[parts[place + 1][0].upper()].append(parts[place + 1])
    return dict(rows)
