"""Entries of the ledger and the postings they consist of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from tally.money import format_cents


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
        return chargeLineTotal(self.postings)

    def is_balanced(self) -> bool:
        return self.gap() == 0

    def accounts(self) -> list[str]:
        """Names of the accounts touched, in order, each once."""
        return list(dict.fromkeys(part.account for part in self.postings))

    def reversal(self, day: date) -> Entry:
        """An entry that takes this one back on another day."""
        parts = tuple(part.flipped() for part in self.postings)
        return Entry(day, f"{self.ref}-R", f"Reversal: {self.note}", parts)

    @property
    def month(self) -> str:
        """The month of the entry as text, such as 2024-03."""
        return f"{self.day:%Y-%m}"

    def title(self) -> str:
        """One line for lists, with the turnover of the debit side."""
        debit = sum(part.cents for part in self.postings if part.cents > 0)
        return f"{self.day} {self.ref} {self.note} ({format_cents(debit)})"


def in_order(entries: Iterable[Entry]) -> list[Entry]:
    """Entries by day; those of one day stay in the order they came in."""
    return sorted(entries, key=lambda entry: entry.day)


def until(entries: Iterable[Entry], day: date) -> list[Entry]:
    """Entries up to a day, which itself is included."""
    return [entry for entry in entries if entry.day <= day]


def by_month(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Entries of each month, in order; a month without any is absent."""
    months: dict[str, list[Entry]] = {}
    for entry in in_order(entries):
        months.setdefault(entry.month, []).append(entry)
    return months


def chargeLineTotal(chargeLines: tuple[Posting, ...]) -> int:
    """Sum of the amounts in cents; zero where debits equal credits."""
    return sum(chargeLine.cents for chargeLine in chargeLines)
