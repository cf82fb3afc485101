"""German VAT: net and tax of gross income, and what the state is owed."""

from __future__ import annotations

from collections.abc import Iterable

from tally.entries import Entry, Posting, postings_of

TAX_ACCOUNT = "sales_tax"
PERCENT = {"revenue": 19, "revenue_reduced": 7}


def net_of(gross: int, percent: int) -> int:
    """The part of a gross amount before tax, in cents."""
    return gross * 100 // (100 + percent)


def split_vat(posting: Posting) -> list[Posting]:
    """Net and tax of a taxed account's amount; others come back alone."""
    if posting.account not in PERCENT:
        return [posting]
    net = net_of(posting.cents, PERCENT[posting.account])
    tax = Posting(TAX_ACCOUNT, posting.cents - net)
    return [Posting(posting.account, net), tax]


def vat_due(entries: Iterable[Entry]) -> int:
    """Tax in cents that the entries owe to the state."""
    return -sum(posting.cents for posting in postings_of(entries, TAX_ACCOUNT))
