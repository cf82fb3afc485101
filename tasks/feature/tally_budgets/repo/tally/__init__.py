"""Tally: a small double-entry ledger for billing."""

from tally.accounts import Account, Chart
from tally.entries import Entry, Posting
from tally.journal import Book, parse_journal

__all__ = ["Account", "Book", "Chart", "Entry", "Posting", "parse_journal"]
