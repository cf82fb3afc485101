"""Checks over a whole book: what a careful reader would complain about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from tally.accounts import Chart
from tally.entries import Entry
from tally.journal import Book
from tally.money import format_cents


@dataclass(frozen=True)
class Finding:
    """One complaint about one entry or account."""

    ref: str
    text: str

    def __str__(self) -> str:
        return f"{self.ref}: {self.text}"


def audit(book: Book, today: date) -> list[Finding]:
    """All findings, entry by entry, and those about the whole book at the end."""
    findings: list[Finding] = []
    for entry in book.entries:
        findings.extend(_entry_findings(entry, today))
        findings.extend(_posting_findings(entry, book.chart))
    findings.extend(_repeated(book.entries))
    return findings


def idle_accounts(book: Book) -> list[Finding]:
    """Accounts that no entry touches; a hint, so audit leaves them out."""
    touched = {name for entry in book.entries for name in entry.accounts()}
    return [Finding(name, "never booked on") for name in book.chart.accounts if name not in touched]


def _entry_findings(entry: Entry, today: date) -> Iterator[Finding]:
    if not entry.is_balanced():
        yield Finding(entry.ref, f"out of balance by {format_cents(entry.gap())}")
    if len(entry.postings) < 2:
        yield Finding(entry.ref, "fewer than two accounts")
    if entry.day > today:
        yield Finding(entry.ref, f"dated {entry.day}, which is in the future")


def _posting_findings(entry: Entry, chart: Chart) -> Iterator[Finding]:
    for posting in entry.postings:
        if posting.account not in chart.accounts:
            yield Finding(entry.ref, f"unknown account {posting.account}")
        if posting.cents == 0:
            yield Finding(entry.ref, f"zero amount on {posting.account}")


def _repeated(entries: list[Entry]) -> Iterator[Finding]:
    for ref, times in Counter(entry.ref for entry in entries).items():
        if times > 1:
            yield Finding(ref, f"reference found {times} times")
