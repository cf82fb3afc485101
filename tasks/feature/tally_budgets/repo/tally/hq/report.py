"""The quarterly sheet of headquarters, in columns that their printer wants."""

from __future__ import annotations

from tally.accounts import balance_of
from tally.journal import Book
from tally.money import format_cents

COLUMNS = (18, 14)
TITLE = "QUARTERLY SHEET"


def _line(left: str, right: str) -> str:
    return left[: COLUMNS[0]].ljust(COLUMNS[0], ".") + right.rjust(COLUMNS[1], ".")


def sheet(book: Book, quarter: str) -> str:
    """All accounts in capital letters, filled up with dots."""
    lines = [_line(TITLE, quarter)]
    for name in book.chart.accounts:
        lines.append(_line(name.upper(), format_cents(balance_of(book.entries, name))))
    return "\n".join(lines)
