"""Austrian VAT, as the office in Linz computes it: part of a cent is cut off."""

from __future__ import annotations

from tally.entries import Posting

TAX_ACCOUNT = "umsatzsteuer"
PERCENT = {"erloese": 20, "erloese_10": 10}


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
