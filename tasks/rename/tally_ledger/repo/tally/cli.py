"""The command line: `python -m tally.cli COMMAND`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from datetime import date
from typing import TextIO

from tally.accounts import AccountError
from tally.audit import audit
from tally.config import ConfigError, load_config
from tally.entries import until
from tally.export import to_accounts_csv, to_csv, to_json
from tally.journal import Book, JournalError, parse_journal, render_journal
from tally.money import format_cents
from tally.posting import RuleError, apply_all
from tally.report import history, income, months, trial_balance

LIST_COMMAND = "charge-lines"
FAULTS = (AccountError, ConfigError, JournalError, RuleError, OSError)


def load_book() -> Book:
    """The book that the environment names, with the rules applied."""
    config = load_config(os.environ)
    book = parse_journal(config.path.read_text(encoding="utf-8"))
    book.entries = apply_all(book.entries, config)
    return book


def listChargeLines(book: Book, out: TextIO) -> None:
    """Print every amount of the book, one a line."""
    for entry in book.entries:
        for chargeLine in entry.postings:
            amount = format_cents(chargeLine.cents)
            print(entry.ref, chargeLine.account, amount, file=out)


def _printer(text: Callable[[Book], str]) -> Callable[[Book, TextIO], None]:
    return lambda book, out: print(text(book), file=out)


def _audit_text(book: Book) -> str:
    findings = audit(book, date.today())
    return "\n".join(str(each) for each in findings) or "nothing to report"


COMMANDS: dict[str, Callable[[Book, TextIO], None]] = {
    "balance": _printer(trial_balance),
    "income": _printer(income),
    "months": _printer(months),
    "audit": _printer(_audit_text),
    "json": _printer(to_json),
    "csv": _printer(to_csv),
    "accounts": _printer(to_accounts_csv),
    "journal": _printer(render_journal),
    LIST_COMMAND: listChargeLines,
}


def main(argv: Sequence[str] | None = None, out: TextIO = sys.stdout) -> int:
    """Run one command; 0 when it worked, 2 when the book is at fault."""
    parser = argparse.ArgumentParser(prog="tally", description=__doc__)
    parser.add_argument("command", choices=[*COMMANDS, "history"])
    parser.add_argument("account", nargs="?", help="for history")
    parser.add_argument("--until", type=date.fromisoformat, metavar="DAY")
    options = parser.parse_args(argv)
    try:
        book = load_book()
        if options.until:
            book.entries = until(book.entries, options.until)
        if options.command == "history":
            print(history(book, options.account or ""), file=out)
        else:
            COMMANDS[options.command](book, out)
    except FAULTS as error:
        print(f"tally: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
