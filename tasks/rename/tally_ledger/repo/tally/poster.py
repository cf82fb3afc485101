"""Paper statements for customers: pages, envelopes, postage."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tally.entries import Entry, Posting
from tally.money import format_cents

PER_PAGE = 30
POSTAGE = ((1, 85), (4, 100), (20, 160))


@dataclass(frozen=True)
class Envelope:
    """The pages for one customer and what sending them costs."""

    customer: str
    pages: tuple[str, ...]
    postage: int


def splitChargeLines(chargeLines: list[Posting]) -> list[list[Posting]]:
    """Amounts in portions that fit on a page."""
    starts = range(0, len(chargeLines), PER_PAGE)
    return [chargeLines[start : start + PER_PAGE] for start in starts]


def envelope(customer: str, entries: Iterable[Entry]) -> Envelope:
    """An envelope with all amounts booked on the customer's account."""
    found = [
        part
        for entry in entries
        for part in entry.postings
        if part.account == customer
    ]
    pages = tuple(_page(portion) for portion in splitChargeLines(found))
    return Envelope(customer, pages, _postage(len(pages)))


def _page(portion: list[Posting]) -> str:
    return "\n".join(format_cents(part.cents) for part in portion)


def _postage(pages: int) -> int:
    for most, cents in POSTAGE:
        if pages <= most:
            return cents
    raise ValueError(f"{pages} pages do not fit into one envelope")
