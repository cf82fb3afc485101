"""Scripts as one stream of statements."""

from __future__ import annotations

from collections.abc import Iterator

import sqlparse
from sqlparse import sql


def statements(text: str) -> Iterator[sql.Statement]:
    """The statements of a script, one by one."""
    yield from sqlparse.parsestream(text)
