"""Tables that a script names."""

from __future__ import annotations

from itertools import pairwise

from sqlparse.utils import remove_quotes

BEFORE = ("FROM", "JOIN", "INTO", "UPDATE")
"""Words after which a table is named."""


def tables(text: str) -> list[str]:
    """Names of tables in lower case and without quotes, in the order in which they stand."""
    found = []
    for word, after in pairwise(text.split()):
        if word.upper() in BEFORE:
            found.append(remove_quotes(after.rstrip(";,")).lower())
    return found
