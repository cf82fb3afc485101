"""Asking the table of dialects."""

from __future__ import annotations

from loom.table import ROWS


def titles() -> dict[str, str]:
    """Name -> title, in the order of the table."""
    return {row.name: row.title for row in ROWS}
