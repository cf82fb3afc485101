"""Settings: which book is open, and what the rules need to know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

TERMS_REVISION = 4
"""Revision of the vocabulary; exports carry it so that readers can tell."""

BOOKS = Path(__file__).resolve().parent.parent / "books"
DEFAULT_BOOK = "live"
MOST_TAX = 30


class ConfigError(ValueError):
    """A setting that cannot be right; the text begins with its name."""


@dataclass(frozen=True)
class Config:
    """Settings of one run; the defaults are those of the billing office."""

    book: str = DEFAULT_BOOK
    taxed: frozenset[str] = frozenset({"revenue"})
    tax_account: str = "sales_tax"
    tax_percent: int = 19
    rounding_account: str = "rounding"

    @property
    def path(self) -> Path:
        """Where the journal of the book is kept."""
        return BOOKS / f"{self.book}.journal"


def load_config(env: Mapping[str, str]) -> Config:
    """Settings from the environment.

    TALLY_BOOK names the book and TALLY_TAX the tax in percent. Raises
    ConfigError for a name or a number that cannot be right.
    """
    book = env.get("TALLY_BOOK", DEFAULT_BOOK)
    if not book.isidentifier():
        raise ConfigError(f"TALLY_BOOK: {book!r} is no name of a book")
    tax = env.get("TALLY_TAX", "19")
    if not tax.isdecimal() or int(tax) > MOST_TAX:
        known = f"0 to {MOST_TAX}"
        raise ConfigError(f"TALLY_TAX: expected {known}, found {tax!r}")
    return Config(book=book, tax_percent=int(tax))
