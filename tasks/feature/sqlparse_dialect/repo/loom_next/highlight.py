"""Scripts with marks for the new screens."""

from __future__ import annotations

from sqlparse import tokens as T

from loom_next.reader import statements

MARKS = {T.Keyword: "*", T.Comment: "~"}


def highlight(text: str) -> str:
    """The script with keywords and comments between marks."""
    return "".join(_marked(leaf) for part in statements(text) for leaf in part.flatten())


def _marked(leaf) -> str:
    mark = next((mark for ttype, mark in MARKS.items() if leaf.ttype in ttype), "")
    return f"{mark}{leaf.value}{mark}"
