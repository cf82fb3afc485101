"""Scripts as statements and tokens."""

from __future__ import annotations

import sqlparse
from sqlparse import sql


def statements(text: str) -> list[sql.Statement]:
    """The statements of a script, empty ones left out."""
    found = sqlparse.parse(text)
    return [statement for statement in found if statement.token_first(skip_cm=True)]


def leaves(text: str) -> list[sql.Token]:
    """All tokens of all statements of a script."""
    return [leaf for statement in statements(text) for leaf in statement.flatten()]
