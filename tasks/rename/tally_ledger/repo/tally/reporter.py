"""Cover letters that go on top of a customer's paper statements."""

from __future__ import annotations

from collections.abc import Iterable

from tally.entries import Entry
from tally.money import format_cents

GREETING = "Dear customer,"
CLOSING = "Kind regards, the billing office"


def chargeLineSum(entries: Iterable[Entry], customer: str) -> int:
    """Cents that a customer owes according to the entries."""
    return sum(
        chargeLine.cents
        for entry in entries
        for chargeLine in entry.postings
        if chargeLine.account == customer
    )


def cover_letter(entries: Iterable[Entry], customer: str) -> str:
    """The letter as text, with the sum that is due or in credit."""
    owed = chargeLineSum(entries, customer)
    if owed > 0:
        body = f"please pay {format_cents(owed)} within two weeks."
    elif owed < 0:
        body = f"your account is {format_cents(-owed)} in credit."
    else:
        body = "your account is settled, there is nothing to pay."
    return "\n\n".join([GREETING, body, CLOSING])
