"""Reading journal files.

A journal is plain text, one directive a line. Indented lines belong to
the entry above them, and a semicolon starts a comment:

    account  bank  asset
    entry 2024-03-01 INV-001 March hosting
      charge receivable 119.00
      charge revenue -119.00
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

from tally.accounts import AccountError, Chart
from tally.entries import Entry, Posting
from tally.money import AmountError, parse_cents

KEYWORD = "charge"


class JournalError(ValueError):
    """A line that cannot be read; the text begins with its number."""


@dataclass
class Book:
    """A journal that was read: its chart of accounts and its entries."""

    chart: Chart = field(default_factory=Chart)
    entries: list[Entry] = field(default_factory=list)


def parse_journal(text: str) -> Book:
    """Read a whole journal. Raises JournalError at the first bad line."""
    book = Book()
    for number, indented, words in _directives(text):
        try:
            _take_in(book, indented, words)
        except (AccountError, AmountError, JournalError) as error:
            raise JournalError(f"{number}: {error}") from None
    return book


def _directives(text: str) -> Iterator[tuple[int, bool, list[str]]]:
    for number, line in enumerate(text.splitlines(), 1):
        code = line.split(";", 1)[0]
        if code.strip():
            yield number, code[0].isspace(), code.split()


def _take_in(book: Book, indented: bool, words: list[str]) -> None:
    if indented:
        _extend_last(book, words)
    elif words[0] == "account" and len(words) == 3:
        book.chart.open(words[1], words[2])
    elif words[0] == "entry" and len(words) >= 4:
        book.entries.append(_new_entry(words))
    else:
        raise JournalError(f"cannot read {' '.join(words)!r}")


def _new_entry(words: list[str]) -> Entry:
    try:
        day = date.fromisoformat(words[1])
    except ValueError:
        raise JournalError(f"{words[1]!r} is no date") from None
    return Entry(day, words[2], " ".join(words[3:]), ())


def _extend_last(book: Book, words: list[str]) -> None:
    if not book.entries:
        raise JournalError("there is no entry above this line")
    if len(words) != 3 or words[0] != KEYWORD:
        raise JournalError(f"expected {KEYWORD} ACCOUNT AMOUNT")
    last = book.entries.pop()
    parts = (*last.postings, Posting(words[1], parse_cents(words[2])))
    book.entries.append(Entry(last.day, last.ref, last.note, parts))
