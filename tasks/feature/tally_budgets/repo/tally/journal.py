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

from tally.accounts import Chart
from tally.directives import checked
from tally.entries import Entry, Posting
from tally.money import format_cents, parse_cents

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
            if indented:
                _extend_last(book, words)
            else:
                _take_in(book, checked(words), words)
        except ValueError as error:
            raise JournalError(f"{number}: {error}") from None
    return book


def _directives(text: str) -> Iterator[tuple[int, bool, list[str]]]:
    for number, line in enumerate(text.splitlines(), 1):
        code = line.split(";", 1)[0]
        if code.strip():
            yield number, code[0].isspace(), code.split()


def _take_in(book: Book, directive: str, words: list[str]) -> None:
    if directive == "account":
        book.chart.open(words[1], words[2])
    elif directive == "entry":
        book.entries.append(_new_entry(words))


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


def render_entry(entry: Entry) -> str:
    """An entry as journal text that parse_journal reads back."""
    lines = [f"entry {entry.day} {entry.ref} {entry.note}"]
    lines += [f"  {KEYWORD} {part.account} {format_cents(part.cents)}" for part in entry.postings]
    return "\n".join(lines) + "\n"


def render_journal(book: Book) -> str:
    """Accounts and entries as journal text that parse_journal reads back.

    Comments are lost, since a book does not hold them. Accounts come first,
    then the entries in their order, with a blank line before each.
    """
    accounts = [f"account {each.name} {each.kind}\n" for each in book.chart.accounts.values()]
    return "\n".join(["".join(accounts), *(render_entry(entry) for entry in book.entries)])


def merged(first: Book, second: Book) -> Book:
    """One book from two that share no reference; accounts of either are known.

    Raises JournalError where a reference is in both, or where an account is
    of one kind here and of another kind there.
    """
    refs = {entry.ref for entry in first.entries} & {entry.ref for entry in second.entries}
    if refs:
        raise JournalError(f"in both books: {', '.join(sorted(refs))}")
    book = Book()
    for account in [*first.chart.accounts.values(), *second.chart.accounts.values()]:
        known = book.chart.accounts.get(account.name)
        if known is None:
            book.chart.open(account.name, account.kind)
        elif known.kind != account.kind:
            raise JournalError(f"{account.name}: {known.kind} in one book, {account.kind} in two")
    both = [*first.entries, *second.entries]
    book.entries = sorted(both, key=lambda entry: entry.day)
    return book


def renumbered(book: Book, prefix: str) -> Book:
    """The same book with references such as X-001, counted in order of the days."""
    ordered = sorted(book.entries, key=lambda entry: entry.day)
    entries = [
        Entry(entry.day, f"{prefix}-{number:03d}", entry.note, entry.postings)
        for number, entry in enumerate(ordered, 1)
    ]
    return Book(book.chart, entries)
