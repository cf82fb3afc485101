"""Exports for other programs: JSON for the portal, CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from tally.accounts import balance_of
from tally.entries import Entry
from tally.journal import Book
from tally.money import format_cents

CSV_HEADER = ("date", "ref", "note", "account", "amount")
ACCOUNTS_HEADER = ("name", "kind", "balance")


def to_json(book: Book) -> str:
    """The whole book as JSON, with sorted keys and two blanks of indent."""
    data = {
        "accounts": [
            {"name": account.name, "kind": account.kind} for account in book.chart.accounts.values()
        ],
        "entries": [entry_record(entry) for entry in book.entries],
    }
    return json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False)


def entry_record(entry: Entry) -> dict[str, Any]:
    """One entry as the portal wants it; amounts are text, as in CSV."""
    return {
        "date": entry.day.isoformat(),
        "ref": entry.ref,
        "note": entry.note,
        "postings": [
            {"account": part.account, "amount": format_cents(part.cents)} for part in entry.postings
        ],
    }


def to_csv(book: Book) -> str:
    """One row for each amount, with the entry's data repeated."""
    rows = [
        (entry.day.isoformat(), entry.ref, entry.note, part.account, format_cents(part.cents))
        for entry in book.entries
        for part in entry.postings
    ]
    return _table(CSV_HEADER, rows)


def to_accounts_csv(book: Book) -> str:
    """One row for each account: name, kind, debits less credits."""
    rows = [
        (account.name, account.kind, format_cents(balance_of(book.entries, account.name)))
        for account in book.chart.accounts.values()
    ]
    return _table(ACCOUNTS_HEADER, rows)


def _table(header: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return buffer.getvalue()
