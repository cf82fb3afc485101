"""Addresses of people are hidden."""

from __future__ import annotations

import re


def apply(text: str) -> str:
    """The text with three stars in place of every string that holds an address."""
    return re.sub(r"'[^']*@[^']*'", "'***'", text)
