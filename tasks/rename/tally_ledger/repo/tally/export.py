"""Exports for other programs: JSON for the portal, CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from tally.accounts import usual_balance
from tally.config import TERMS_REVISION
from tally.entries import Entry
from tally.journal import Book
from tally.money import format_cents

LINES_KEY = "charge_lines"
CSV_HEADER = ("date", "ref", "note", "account", "amount")
ACCOUNTS_HEADER = ("name", "kind", "balance")


def to_json(book: Book) -> str:
    """The whole book as JSON, with sorted keys and two blanks of indent."""
    data = {
        "terms": TERMS_REVISION,
        "accounts": [
            {"name": account.name, "kind": account.kind}
            for account in book.chart.accounts.values()
        ],
        "entries": [entry_record(entry) for entry in book.entries],
    }
    return json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False)


def entry_record(entry: Entry) -> dict[str, Any]:
    """One entry as the portal wants it; amounts are text, as in CSV."""
    chargeLineRecords = [
        {
            "account": chargeLine.account,
            "amount": format_cents(chargeLine.cents),
        }
        for chargeLine in entry.postings
    ]
    record: dict[str, Any] = {LINES_KEY: chargeLineRecords}
    record.update(date=entry.day.isoformat(), ref=entry.ref, note=entry.note)
    return record


def to_csv(book: Book) -> str:
    """One row for each amount, with the entry's data repeated."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(CSV_HEADER)
    for entry in book.entries:
        head = [entry.day.isoformat(), entry.ref, entry.note]
        for part in entry.postings:
            writer.writerow([*head, part.account, format_cents(part.cents)])
    return buffer.getvalue()


def to_accounts_csv(book: Book) -> str:
    """One row for each account: name, kind, balance on its usual side."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(ACCOUNTS_HEADER)
    for account in book.chart.accounts.values():
        balance = format_cents(usual_balance(book.entries, account))
        writer.writerow([account.name, account.kind, balance])
    return buffer.getvalue()
