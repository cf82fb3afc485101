"""Elements of the dealer's edition."""

from __future__ import annotations


def table(text: str) -> str:
    """A table in the dealer's colours."""
    return '<table class="dealer">\n' + text + "</table>\n"


def quote(text: str) -> str:
    """A quotation in the dealer's colours."""
    return '<blockquote class="dealer">\n' + text + "</blockquote>\n"
