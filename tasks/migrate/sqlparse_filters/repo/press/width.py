"""Width at the press: what would run into the fold."""

from __future__ import annotations

FOLD = 132


def apply(text: str) -> str:
    """The text with everything behind the fold cut off."""
    return "\n".join(line[:FOLD] for line in text.split("\n"))
