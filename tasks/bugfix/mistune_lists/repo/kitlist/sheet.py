"""The sheet that goes into the cave in a plastic bag."""

from __future__ import annotations

from collections.abc import Iterable

from kitlist.entries import Entry

WIDTH = 34


def sheet(title: str, entries: Iterable[Entry]) -> str:
    """Title and a list, two columns of indent for each level."""
    lines = [title.upper().center(WIDTH).rstrip(), ""]
    for each in entries:
        lines.append(f"* {each.text}")
    return "\n".join(lines) + "\n"
