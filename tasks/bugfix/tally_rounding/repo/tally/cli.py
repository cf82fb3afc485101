"""The command line: `python -m tally.cli COMMAND BOOK`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

from tally.de.vat import vat_due
from tally.journal import Book, JournalError, parse_journal
from tally.money import format_cents
from tally.posting import RuleError, apply_all
from tally.report import income, quotas, trial_balance

COMMANDS: dict[str, Callable[[Book], str]] = {
    "balance": trial_balance,
    "income": income,
    "quotas": quotas,
    "vat": lambda book: format_cents(vat_due(book.entries)),
    "chart": lambda book: "\n".join(book.chart.accounts),
}


def load_book(path: Path) -> Book:
    """A book from its file, with the rules applied."""
    book = parse_journal(path.read_text(encoding="utf-8"))
    book.entries = apply_all(book.entries)
    return book


def main(argv: Sequence[str] | None = None, out: TextIO = sys.stdout) -> int:
    """Run one command; 0 when it worked, 2 when the book is at fault."""
    parser = argparse.ArgumentParser(prog="tally", description=__doc__)
    parser.add_argument("command", choices=list(COMMANDS))
    parser.add_argument("book", type=Path)
    options = parser.parse_args(argv)
    try:
        print(COMMANDS[options.command](load_book(options.book)), file=out)
    except (JournalError, RuleError, OSError) as error:
        print(f"tally: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
