"""Reports as plain text: trial balance, income, one account's history."""

from __future__ import annotations

from collections.abc import Iterator

from tally.accounts import balance_of, total_of_kind, usual_balance
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
    sums = {
        name: balance_of(book.entries, name) for name in book.chart.accounts
    }
    rows = [_row(name, cents) for name, cents in sums.items()]
    return "\n".join([*rows, _rule(), _row("sum", sum(sums.values()))])


def income(book: Book) -> str:
    """Income less expenses, account by account."""
    rows, total = [], 0
    for kind, sign in (("income", 1), ("expense", -1)):
        for account in book.chart.of_kind(kind):
            cents = sign * usual_balance(book.entries, account)
            rows.append(_row(account.name, cents))
            total += cents
    return "\n".join([*rows, _rule(), _row("result", total)])


def months(book: Book) -> str:
    """Income less expenses, month by month, with the sum at the end."""
    rows, total = [], 0
    for month, entries in by_month(book.entries).items():
        cents = -sum(
            total_of_kind(entries, book.chart, kind)
            for kind in ("income", "expense")
        )
        rows.append(_row(month, cents))
        total += cents
    return "\n".join([*rows, _rule(), _row("sum", total)])


def history(book: Book, name: str) -> str:
    """What happened on one account, with the balance after each step.

    Raises AccountError for an account that is not in the chart.
    """
    book.chart.get(name)
    rows, balance = [], 0
    for title, cents in chargeLineRows(book, name):
        balance += cents
        after = f"{format_cents(balance):>{SUM_WIDTH}}"
        rows.append(_row(title, cents) + after)
    return "\n".join(rows)


def chargeLineRows(book: Book, name: str) -> Iterator[tuple[str, int]]:
    """Title and cents of everything booked on an account."""
    for entry in book.entries:
        for chargeLine in entry.postings:
            if chargeLine.account == name:
                yield f"{entry.day} {entry.ref}", chargeLine.cents
