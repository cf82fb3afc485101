"""The way of an entry from the journal into the books."""

from __future__ import annotations

from collections.abc import Iterable

from tally.de.vat import split_vat
from tally.entries import Entry, Posting

ROUNDING = "rounding"
MOST_ROUNDING = 2


class RuleError(ValueError):
    """An entry that no rule can put right."""


def apply_rules(entry: Entry) -> Entry:
    """The entry as it goes into the books, its tax split off.

    Raises RuleError where it is out of balance by more than rounding.
    """
    parts: list[Posting] = []
    for posting in entry.postings:
        parts.extend(split_vat(posting))
    gap = sum(part.cents for part in parts)
    if abs(gap) > MOST_ROUNDING:
        raise RuleError(f"{entry.ref}: out of balance by {gap} cents")
    if gap:
        parts.append(Posting(ROUNDING, -gap))
    return Entry(entry.day, entry.ref, entry.note, tuple(parts))


def apply_all(entries: Iterable[Entry]) -> list[Entry]:
    """Every entry under the rules, in order. Raises RuleError."""
    return [apply_rules(entry) for entry in entries]
