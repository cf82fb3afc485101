"""Reports as plain text: trial balance, income, months, one account's history."""

from __future__ import annotations

from tally.accounts import balance_of
from tally.entries import by_month
from tally.journal import Book
from tally.money import format_cents

NAME_WIDTH = 24
SUM_WIDTH = 12


def _row(name: str, cents: int) -> str:
    return f"{name:<{NAME_WIDTH}}{format_cents(cents):>{SUM_WIDTH}}"


def _rule() -> str:
    return "-" * (NAME_WIDTH + SUM_WIDTH)


def trial_balance(book: Book) -> str:
    """Every account with its balance, and the sum, which should be 0.00."""
    sums = {name: balance_of(book.entries, name) for name in book.chart.accounts}
    rows = [_row(name, cents) for name, cents in sums.items()]
    return "\n".join([*rows, _rule(), _row("sum", sum(sums.values()))])


def income(book: Book) -> str:
    """Income less expenses, account by account."""
    rows, total = [], 0
    for kind in ("income", "expense"):
        for account in book.chart.of_kind(kind):
            cents = -balance_of(book.entries, account.name)
            rows.append(_row(account.name, cents))
            total += cents
    return "\n".join([*rows, _rule(), _row("result", total)])


def months(book: Book) -> str:
    """Income less expenses, month by month, with the sum at the end."""
    names = [each.name for kind in ("income", "expense") for each in book.chart.of_kind(kind)]
    rows, total = [], 0
    for month, entries in by_month(book.entries).items():
        cents = -sum(balance_of(entries, name) for name in names)
        rows.append(_row(month, cents))
        total += cents
    return "\n".join([*rows, _rule(), _row("sum", total)])


def history(book: Book, name: str) -> str:
    """What happened on one account, with the balance after each step."""
    rows, balance = [], 0
    for entry in book.entries:
        for posting in entry.postings:
            if posting.account == name:
                balance += posting.cents
                after = f"{format_cents(balance):>{SUM_WIDTH}}"
                rows.append(_row(f"{entry.day} {entry.ref}", posting.cents) + after)
    side = "debit" if balance >= 0 else "credit"
    return "\n".join([*rows, f"{name} has a {side} of {format_cents(abs(balance))}"])
