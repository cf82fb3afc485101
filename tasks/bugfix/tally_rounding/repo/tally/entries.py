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

    def flipped(self) -> Posting:
        """The posting with its sign turned round."""
        return Posting(self.account, -self.cents)


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

    def reversal(self, day: date) -> Entry:
        """An entry that takes this one back on another day."""
        parts = tuple(part.flipped() for part in self.postings)
        return Entry(day, f"{self.ref}-R", f"Reversal: {self.note}", parts)


def postings_of(entries: Iterable[Entry], account: str) -> list[Posting]:
    """What was booked on one account, in the order of the entries."""
    return [
        posting for entry in entries for posting in entry.postings if posting.account == account
    ]
