"""The command line: `python -m tally.cli COMMAND BOOK`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import TextIO

from tally import clock
from tally.audit import audit, idle_accounts
from tally.directives import help_text
from tally.export import to_accounts_csv, to_csv, to_json
from tally.journal import Book, JournalError, parse_journal
from tally.report import history, income, months, trial_balance


def load_book(path: Path, until: date | None = None) -> Book:
    """A book from its file, its entries up to a day."""
    book = parse_journal(path.read_text(encoding="utf-8"))
    if until:
        book.entries = [entry for entry in book.entries if entry.day <= until]
    return book


def _audit_text(book: Book) -> str:
    findings = [*audit(book, clock.today()), *idle_accounts(book)]
    return "\n".join(str(each) for each in findings) or "nothing to report"


COMMANDS: dict[str, Callable[[Book], str]] = {
    "balance": trial_balance,
    "income": income,
    "months": months,
    "audit": _audit_text,
    "json": to_json,
    "csv": to_csv,
    "accounts": to_accounts_csv,
    "directives": lambda book: help_text(),
}


def main(argv: Sequence[str] | None = None, out: TextIO = sys.stdout) -> int:
    """Run one command; 0 when it worked, 2 when the book is at fault."""
    parser = argparse.ArgumentParser(prog="tally", description=__doc__)
    parser.add_argument("command", choices=[*COMMANDS, "history"])
    parser.add_argument("book", type=Path)
    parser.add_argument("--account", default="", help="for history")
    parser.add_argument("--until", type=date.fromisoformat, metavar="DAY")
    options = parser.parse_args(argv)
    try:
        book = load_book(options.book, options.until)
        if options.command == "history":
            print(history(book, options.account), file=out)
        else:
            print(COMMANDS[options.command](book), file=out)
    except (JournalError, clock.ClockError, OSError) as error:
        print(f"tally: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
