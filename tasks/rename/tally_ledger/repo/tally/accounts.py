"""Accounts, the chart that holds them, and their balances."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tally.entries import Entry, Posting

KINDS = ("asset", "liability", "income", "expense")


class AccountError(ValueError):
    """An account that is unknown, known twice, or of no known kind."""


@dataclass(frozen=True)
class Account:
    """A named account of one kind."""

    name: str
    kind: str

    @property
    def grows_by_debit(self) -> bool:
        """True where a positive balance is the usual one."""
        return self.kind in ("asset", "expense")


@dataclass
class Chart:
    """The accounts of a book, by name, in the order of their opening."""

    accounts: dict[str, Account] = field(default_factory=dict)

    def open(self, name: str, kind: str) -> Account:
        """Add an account. Raises AccountError for a second or odd one."""
        if kind not in KINDS:
            known = ", ".join(KINDS)
            raise AccountError(f"{name}: expected {known}, found {kind!r}")
        if name in self.accounts:
            raise AccountError(f"{name}: this account is open already")
        self.accounts[name] = Account(name, kind)
        return self.accounts[name]

    def get(self, name: str) -> Account:
        """The account of that name. Raises AccountError if there is none."""
        if name not in self.accounts:
            raise AccountError(f"{name}: no such account")
        return self.accounts[name]

    def of_kind(self, kind: str) -> list[Account]:
        return [each for each in self.accounts.values() if each.kind == kind]


def chargeLinesOf(entries: Iterable[Entry], name: str) -> list[Posting]:
    """What was booked on one account, in the order of the entries."""
    return [
        chargeLine
        for entry in entries
        for chargeLine in entry.postings
        if chargeLine.account == name
    ]


def balance_of(entries: Iterable[Entry], name: str) -> int:
    """Balance of an account in cents, debits minus credits."""
    return sum(part.cents for part in chargeLinesOf(entries, name))


def total_of_kind(entries: Iterable[Entry], chart: Chart, kind: str) -> int:
    """Sum of the balances of all accounts of a kind, debits minus credits."""
    found = list(entries)
    return sum(balance_of(found, each.name) for each in chart.of_kind(kind))


def equation_gap(entries: Iterable[Entry], chart: Chart) -> int:
    """Cents by which assets and expenses differ from the other side.

    Zero in a sound book: what there is and what was spent equals what is
    owed and what was earned.
    """
    found = list(entries)
    return sum(total_of_kind(found, chart, kind) for kind in KINDS)


def usual_balance(entries: Iterable[Entry], account: Account) -> int:
    """Balance as people read it: positive on the account's usual side."""
    cents = balance_of(entries, account.name)
    return cents if account.grows_by_debit else -cents
