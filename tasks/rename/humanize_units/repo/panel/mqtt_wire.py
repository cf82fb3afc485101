"""Rows as messages for the broker of the caretakers."""

from __future__ import annotations

import json

from panel.row import Row

PLAIN = str.maketrans({"³": "3", "/": "_per_"})


def message(row: Row) -> tuple[str, str]:
    """Topic and payload. The keys of the payload are agreed with the caretakers."""
    topic = f"boiler/{row.title.lower()}/{topicUom(row.symbol)}"
    return topic, json.dumps({"text": row.text, "sym": row.symbol}, ensure_ascii=False)


def topicUom(symbol: str) -> str:
    """A symbol without the characters that mean something in a topic."""
    return symbol.translate(PLAIN)
