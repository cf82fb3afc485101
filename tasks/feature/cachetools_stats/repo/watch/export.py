"""Rows for other programs, one JSON object a line."""

import json
from collections.abc import Iterable

from watch.snapshot import Row

SCHEMA = 2


def record(row: Row) -> dict[str, object]:
    """What is exported of a row. `bounded` tells caches with a limit from those without."""
    return {
        "cache": row["name"],
        "hits": row["hits"],
        "misses": row["misses"],
        "size": row["size"],
        "bounded": row["limit"] is not None,
    }


def lines(rows: Iterable[Row]) -> str:
    """All records under a line that names the schema."""
    head = json.dumps({"schema": SCHEMA})
    return "\n".join([head, *(json.dumps(record(row)) for row in rows)])


def parse(text: str) -> list[dict[str, object]]:
    """The records of an export. Raises ValueError for another schema."""
    head, *rest = text.splitlines()
    schema = json.loads(head).get("schema")
    if schema != SCHEMA:
        raise ValueError(f"schema {schema}, expected {SCHEMA}")
    return [json.loads(line) for line in rest]
