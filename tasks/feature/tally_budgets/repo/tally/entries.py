"""Entries of the ledger and the postings they consist of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Posting:
    """One account and one amount in cents; debits are positive."""

    account: str
    cents: int


@dataclass(frozen=True)
class Entry:
    """What was booked on one day under one reference."""

    day: date
    ref: str
    note: str
    postings: tuple[Posting, ...]

    def gap(self) -> int:
        """Cents by which the entry is out of balance."""
        return sum(posting.cents for posting in self.postings)

    def is_balanced(self) -> bool:
        return self.gap() == 0

    @property
    def month(self) -> str:
        """The month of the entry as text, such as 2024-03."""
        return f"{self.day:%Y-%m}"

    def accounts(self) -> list[str]:
        """Names of the accounts touched, in order, each once."""
        return list(dict.fromkeys(part.account for part in self.postings))


def postings_of(entries: Iterable[Entry], account: str) -> list[Posting]:
    """What was booked on one account, in the order of the entries."""
    return [
        posting for entry in entries for posting in entry.postings if posting.account == account
    ]


def by_month(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Entries of each month, in order; a month without any is absent."""
    months: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=lambda entry: entry.day):
        months.setdefault(entry.month, []).append(entry)
    return months
