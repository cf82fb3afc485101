"""Completing words for the new prompt."""

from __future__ import annotations

from sqlparse import keywords


def complete(start: str) -> list[str]:
    """All words that begin so, as they are typed."""
    return sorted(word.lower() for word in keywords.KEYWORDS if word.startswith(start.upper()))
