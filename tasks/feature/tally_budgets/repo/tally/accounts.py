"""Accounts, the chart that holds them, and their balances."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tally.entries import Entry, postings_of

KINDS = ("asset", "liability", "income", "expense")


class AccountError(ValueError):
    """An account that is unknown, known twice, or of no known kind."""


@dataclass(frozen=True)
class Account:
    """A named account of one kind."""

    name: str
    kind: str


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

    def of_kind(self, kind: str) -> list[Account]:
        return [each for each in self.accounts.values() if each.kind == kind]


def balance_of(entries: Iterable[Entry], name: str) -> int:
    """Balance of an account in cents, debits minus credits."""
    return sum(part.cents for part in postings_of(entries, name))
