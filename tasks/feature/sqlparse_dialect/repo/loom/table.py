"""The dialects that the desk knows, one row each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """name: as typed; title: as shown; words: module with WORDS; literals: keys of LITERALS."""

    name: str
    title: str
    words: str
    literals: tuple[str, ...] = ()


ROWS = (
    Row("ansi", "Plain SQL", "loom.words.ansi"),
    Row("warp", "Warp batch SQL", "loom.words.warp", ("shade",)),
)
