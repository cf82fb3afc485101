"""One row of the panel."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """What is shown: a title, the value as text, and the symbol behind it."""

    title: str
    text: str
    symbol: str

    def line(self, width: int = 24) -> str:
        """Title on the left, text on the right."""
        return self.title.ljust(width - len(self.text)) + self.text
