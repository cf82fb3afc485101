"""Checks over a whole book: what a careful reader would complain about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from tally.accounts import Chart, equation_gap
from tally.entries import Entry
from tally.journal import Book
from tally.money import format_cents


@dataclass(frozen=True)
class Finding:
    """One complaint about one entry."""

    ref: str
    text: str

    def __str__(self) -> str:
        return f"{self.ref}: {self.text}"


def audit(book: Book, today: date) -> list[Finding]:
    """All findings, entry by entry, and repeated references at the end."""
    findings: list[Finding] = []
    for entry in book.entries:
        findings.extend(_entry_findings(entry, today))
        findings.extend(chargeLineFindings(entry, book.chart))
    findings.extend(_repeated(book.entries))
    if gap := equation_gap(book.entries, book.chart):
        text = f"the two sides differ by {format_cents(gap)}"
        findings.append(Finding("book", text))
    return findings


def idle_accounts(book: Book) -> list[Finding]:
    """Accounts that no entry touches; a hint, so audit leaves them out."""
    used = {name for entry in book.entries for name in entry.accounts()}
    return [
        Finding(name, "never used")
        for name in book.chart.accounts
        if name not in used
    ]


def _entry_findings(entry: Entry, today: date) -> Iterator[Finding]:
    if not entry.is_balanced():
        gap = format_cents(entry.gap())
        yield Finding(entry.ref, f"out of balance by {gap}")
    if len(entry.postings) < 2:
        yield Finding(entry.ref, "fewer than two accounts")
    if entry.day > today:
        yield Finding(entry.ref, f"dated {entry.day}, which is in the future")


def chargeLineFindings(entry: Entry, chart: Chart) -> Iterator[Finding]:
    """Amounts of zero, and accounts that the chart does not hold."""
    for chargeLine in entry.postings:
        if chargeLine.account not in chart.accounts:
            yield Finding(entry.ref, f"unknown account {chargeLine.account}")
        if chargeLine.cents == 0:
            yield Finding(entry.ref, f"zero amount on {chargeLine.account}")


def _repeated(entries: list[Entry]) -> Iterator[Finding]:
    for ref, times in Counter(entry.ref for entry in entries).items():
        if times > 1:
            yield Finding(ref, f"reference used {times} times")
