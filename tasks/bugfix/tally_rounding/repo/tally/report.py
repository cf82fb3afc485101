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


def history(book: Book, name: str) -> str:
    """What happened on one account, with the balance after each step."""
    rows, balance = [], 0
    for entry in book.entries:
        for posting in entry.postings:
            if posting.account == name:
                balance += posting.cents
                after = f"{format_cents(balance):>{SUM_WIDTH}}"
                title = f"{entry.day} {entry.ref}"
                rows.append(_row(title, format_cents(posting.cents)) + after)
    return "\n".join(rows)


def months(book: Book) -> str:
    """Income less expenses, month by month, with the sum at the end."""
    kinds = {account.name: account.kind for account in book.chart.accounts.values()}
    sums: dict[str, int] = {}
    for entry in sorted(book.entries, key=lambda entry: entry.day):
        month = f"{entry.day:%Y-%m}"
        for posting in entry.postings:
            if kinds.get(posting.account) in ("income", "expense"):
                sums[month] = sums.get(month, 0) - posting.cents
    rows = [_row(month, format_cents(cents)) for month, cents in sums.items()]
    return "\n".join([*rows, _rule(), _row("sum", format_cents(sum(sums.values())))])


def compared(this_year: Book, last_year: Book) -> str:
    """Balances of two books side by side, for accounts that either one has."""
    names = list(dict.fromkeys([*this_year.chart.accounts, *last_year.chart.accounts]))
    rows = []
    for name in names:
        sums = [balance_of(book.entries, name) for book in (this_year, last_year)]
        after = f"{format_cents(sums[1]):>{SUM_WIDTH}}"
        rows.append(_row(name, format_cents(sums[0])) + after)
    return "\n".join(rows)


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
