"""Blanks come one at a time."""

from __future__ import annotations

import re


def apply(text: str) -> str:
    """The text with one blank for any number of blanks and tabs."""
    return re.sub(r"[ \t]+", " ", text)
