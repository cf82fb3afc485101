"""A list as Markdown again, for a file in the store."""

from __future__ import annotations

from collections.abc import Iterable

from kitlist.entries import Entry

BOXES = {None: "", True: "[x] ", False: "[ ] "}


def write_back(entries: Iterable[Entry]) -> str:
    """The text of a list file."""
    return "".join(f"* {each.text}\n" for each in entries)
