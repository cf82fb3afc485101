"""Words of the dialects. Every module here has WORDS: upper-case word -> token type."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from loom.table import Row


def words_of(row: Row) -> Mapping[str, Any]:
    """The words that a dialect adds to plain SQL."""
    return import_module(row.words).WORDS
