"""Cue patterns in two languages that are searched only where they can occur."""

from __future__ import annotations

import re


def _join(block: str, before: str = "", after: str = "") -> re.Pattern[str] | None:
    lines = [line.strip() for line in block.splitlines() if line.strip()]
    return re.compile(f"{before}(?:{'|'.join(lines)}){after}", re.ASCII) if lines else None


class Cues:
    """English cues are whole words; `raw` and `zh` ones stand as they are. One alternative, or
    several joined by `|`, a line. The text searched is lower case: case folding in the pattern
    would cost the engine its quick test of the first letter."""

    __slots__ = ("_en", "_raw", "_zh")

    def __init__(self, en: str = "", zh: str = "", raw: str = "") -> None:
        self._en = _join(en, r"\b", r"\b")
        self._raw = _join(raw)
        self._zh = _join(zh)

    def search(self, low: str) -> re.Match[str] | None:
        """First match by kind, None where there is none. `low` is lower case."""
        found = self._en.search(low) if self._en else None
        if not found and self._raw:
            found = self._raw.search(low)
        if not found and self._zh and not low.isascii():
            found = self._zh.search(low)
        return found

    def blank(self, low: str) -> str:
        """The text with every match replaced by spaces of the same length."""
        for pattern in (self._en, self._raw, None if low.isascii() else self._zh):
            if pattern:
                low = pattern.sub(lambda m: " " * len(m.group()), low)
        return low
