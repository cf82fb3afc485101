"""Reports as plain text: balances, income, quotas of the expenses."""

from __future__ import annotations

from tally.accounts import balance_of
from tally.journal import Book
from tally.money import format_cents

NAME_WIDTH = 24
SUM_WIDTH = 12


def _row(name: str, text: str) -> str:
    return f"{name:<{NAME_WIDTH}}{text:>{SUM_WIDTH}}"


def _rule() -> str:
    return "-" * (NAME_WIDTH + SUM_WIDTH)


def trial_balance(book: Book) -> str:
    """Every account with its balance, and the sum, which should be 0.00."""
    sums = {name: balance_of(book.entries, name) for name in book.chart.accounts}
    rows = [_row(name, format_cents(cents)) for name, cents in sums.items()]
    total = format_cents(sum(sums.values()))
    return "\n".join([*rows, _rule(), _row("sum", total)])


def income(book: Book) -> str:
    """Income less expenses, account by account."""
    rows, total = [], 0
    for kind in ("income", "expense"):
        for account in book.chart.of_kind(kind):
            cents = -balance_of(book.entries, account.name)
            rows.append(_row(account.name, format_cents(cents)))
            total += cents
    return "\n".join([*rows, _rule(), _row("result", format_cents(total))])


def quota(part: int, total: int) -> str:
    """Which part of a total an amount is, in percent with one decimal."""
    return f"{100 * part / total:.1f} %"


def quotas(book: Book) -> str:
    """Every expense as a part of all expenses; empty where there are none."""
    names = [account.name for account in book.chart.of_kind("expense")]
    sums = {name: balance_of(book.entries, name) for name in names}
    total = sum(sums.values())
    if total == 0:
        return ""
    return "\n".join(_row(name, quota(cents, total)) for name, cents in sums.items())
