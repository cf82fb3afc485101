"""What headquarters collect from every branch, once a quarter."""

from __future__ import annotations

import json

from tally.accounts import balance_of
from tally.journal import Book

FORM = "HQ-12"


def to_json(book: Book, branch: str, quarter: str) -> str:
    """Balances of a branch in the form that the collector reads."""
    data = {
        "form": FORM,
        "branch": branch,
        "quarter": quarter,
        "balances": {name: balance_of(book.entries, name) for name in book.chart.accounts},
    }
    return json.dumps(data, sort_keys=True)


def file_name(branch: str, quarter: str) -> str:
    """The name under which the collector looks for it."""
    return f"{FORM}_{branch}_{quarter}.json"
