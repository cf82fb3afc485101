"""Completing words at the prompt."""

from __future__ import annotations

from sqlparse import keywords

MOST = 12
"""No more words than fit under the prompt."""


def complete(start: str) -> list[str]:
    """Words that begin so, in upper case and in order, MOST at the most."""
    known = {*keywords.KEYWORDS, *keywords.KEYWORDS_COMMON}
    return sorted(word for word in known if word.startswith(start.upper()))[:MOST]
