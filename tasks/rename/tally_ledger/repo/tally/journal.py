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
from tally.money import AmountError, format_cents, parse_cents

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
        if indented:
            _extend_last(book, number, words)
        elif words[0] == "account" and len(words) == 3:
            _open_account(book, number, words)
        elif words[0] == "entry" and len(words) >= 4:
            book.entries.append(_new_entry(number, words))
        else:
            raise JournalError(f"{number}: cannot read {' '.join(words)!r}")
    return book


def _directives(text: str) -> Iterator[tuple[int, bool, list[str]]]:
    for number, line in enumerate(text.splitlines(), 1):
        code = line.split(";", 1)[0]
        if code.strip():
            yield number, code[0].isspace(), code.split()


def _open_account(book: Book, number: int, words: list[str]) -> None:
    try:
        book.chart.open(words[1], words[2])
    except AccountError as error:
        raise JournalError(f"{number}: {error}") from None


def _new_entry(number: int, words: list[str]) -> Entry:
    try:
        day = date.fromisoformat(words[1])
    except ValueError:
        raise JournalError(f"{number}: {words[1]!r} is no date") from None
    return Entry(day, words[2], " ".join(words[3:]), ())


def _extend_last(book: Book, number: int, words: list[str]) -> None:
    if not book.entries:
        raise JournalError(f"{number}: there is no entry above this line")
    last = book.entries.pop()
    parts = (*last.postings, readChargeLine(number, words))
    book.entries.append(Entry(last.day, last.ref, last.note, parts))


def readChargeLine(number: int, chargeLineWords: list[str]) -> Posting:
    """One indented line: keyword, account, amount."""
    if len(chargeLineWords) != 3 or chargeLineWords[0] != KEYWORD:
        raise JournalError(f"{number}: expected {KEYWORD} ACCOUNT AMOUNT")
    try:
        return Posting(chargeLineWords[1], parse_cents(chargeLineWords[2]))
    except AmountError as error:
        raise JournalError(f"{number}: {error}") from None


def render_journal(book: Book) -> str:
    """The book as journal text that parse_journal reads back.

    Comments are not kept, since a book does not hold them. Accounts come
    first, then the entries in their order with a blank line before each.
    """
    lines = [
        f"account {each.name} {each.kind}"
        for each in book.chart.accounts.values()
    ]
    for entry in book.entries:
        lines += ["", f"entry {entry.day} {entry.ref} {entry.note}"]
        lines += [
            f"  {KEYWORD} {part.account} {format_cents(part.cents)}"
            for part in entry.postings
        ]
    return "\n".join(lines) + "\n"
