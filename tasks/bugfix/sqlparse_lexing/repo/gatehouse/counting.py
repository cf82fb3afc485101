"""How much there is in a script."""

from __future__ import annotations


def statements(text: str) -> int:
    """Number of statements; empty ones do not count."""
    return sum(bool(part.strip()) for part in text.split(";"))
