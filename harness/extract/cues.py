"""Cue patterns in two languages that are searched only where they can occur."""

from __future__ import annotations

import re

_START = r"^[^a-z0-9\u4e00-\u9fff]*"
"""What may stand before the first word; to ASCII patterns Chinese is no word either."""


def _join(block: str, before: str = "", after: str = "") -> re.Pattern[str] | None:
    lines = [line.strip() for line in block.splitlines() if line.strip()]
    return re.compile(f"{before}(?:{'|'.join(lines)}){after}", re.ASCII) if lines else None


class Cues:
    """English cues are whole words, `start` ones among the first three of a sentence; `raw` and
    `zh` ones stand as they are. One alternative, or
    several joined by `|`, a line. The text searched is lower case: case folding in the pattern
    would cost the engine its quick test of the first letter."""

    __slots__ = ("_plain", "_zh")

    def __init__(self, en: str = "", zh: str = "", raw: str = "", start: str = "") -> None:
        plain = (
            _join(en, r"\b", r"\b"),
            _join(start, r"^\W*(?:\w+,? ){0,2}", r"\b"),
            _join(raw),
        )
        self._plain = tuple(pattern for pattern in plain if pattern)
        self._zh = _join(zh.replace(r"^\W*", _START))

    def search(self, low: str) -> re.Match[str] | None:
        """First match by kind, None where there is none. `low` is lower case."""
        for pattern in self._plain:
            found = pattern.search(low)
            if found:
                return found
        return self._zh.search(low) if self._zh and not low.isascii() else None

    def blank(self, low: str) -> str:
        """The text with every match replaced by spaces of the same length."""
        for pattern in (*self._plain, None if low.isascii() else self._zh):
            if pattern:
                low = pattern.sub(lambda m: " " * len(m.group()), low)
        return low
