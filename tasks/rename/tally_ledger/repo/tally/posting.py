"""Rules applied to an entry on its way from the journal into the books.

Two rules exist. Gross income is split into net income and tax, and an
entry that is off by a cent or two after that is levelled on the rounding
account. Both leave balanced entries balanced.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from tally.config import Config
from tally.entries import Entry, Posting
from tally.money import net_of

MOST_ROUNDING = 2


class RuleError(ValueError):
    """An entry that no rule can put right."""


def apply_rules(entry: Entry, config: Config) -> Entry:
    """The entry as it goes into the books.

    Raises RuleError where it is out of balance by more than rounding.
    """
    parts: list[Posting] = []
    for part in entry.postings:
        parts.extend(splitChargeLine(part, config))
    ruled = Entry(entry.day, entry.ref, entry.note, tuple(parts))
    return _levelled(ruled, config)


def splitChargeLine(chargeLine: Posting, config: Config) -> list[Posting]:
    """Net and tax of a taxed account's amount; others come back alone."""
    if chargeLine.account not in config.taxed:
        return [chargeLine]
    net = net_of(chargeLine.cents, config.tax_percent)
    tax = Posting(config.tax_account, chargeLine.cents - net)
    return [Posting(chargeLine.account, net), tax]


def _levelled(entry: Entry, config: Config) -> Entry:
    gap = entry.gap()
    if gap == 0:
        return entry
    if abs(gap) > MOST_ROUNDING:
        raise RuleError(f"{entry.ref}: out of balance by {gap} cents")
    parts = (*entry.postings, Posting(config.rounding_account, -gap))
    return Entry(entry.day, entry.ref, entry.note, parts)


def apply_all(entries: Iterable[Entry], config: Config) -> list[Entry]:
    """Every entry under the rules, in order. Raises RuleError."""
    return [apply_rules(entry, config) for entry in entries]


def tax_due(entries: Iterable[Entry], config: Config) -> int:
    """Tax in cents that the entries, rules applied, owe to the state."""
    return -sum(
        part.cents
        for entry in entries
        for part in entry.postings
        if part.account == config.tax_account
    )


def void(entries: list[Entry], ref: str, day: date) -> Entry:
    """The reversal of the only entry with that reference.

    Raises RuleError where there is none or more than one of them, and
    where the entry was reversed before.
    """
    found = [entry for entry in entries if entry.ref == ref]
    if len(found) != 1:
        raise RuleError(f"{ref}: expected one such entry, found {len(found)}")
    reversal = found[0].reversal(day)
    if any(entry.ref == reversal.ref for entry in entries):
        raise RuleError(f"{ref}: this entry was reversed before")
    return reversal
