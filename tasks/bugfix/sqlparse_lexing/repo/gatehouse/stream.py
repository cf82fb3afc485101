"""The tokens of a script, as sqlparse cuts them."""

from __future__ import annotations

import sqlparse
from sqlparse import sql


def pieces(text: str) -> list[sql.Token]:
    """Every leaf token; put together again they are the script, but for its last blanks."""
    return [leaf for statement in sqlparse.parse(text) for leaf in statement.flatten()]


def words(text: str) -> list[sql.Token]:
    """The leaf tokens without blanks and line ends."""
    return [leaf for leaf in pieces(text) if not leaf.is_whitespace]
