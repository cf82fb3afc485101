"""Rows of the gateways for the platform's archive."""

import json


def record(row: dict) -> dict:
    """What is archived of a row."""
    return {
        "cache": row["name"],
        "hits": row["hits"],
        "size": row["size"],
    }


def lines(rows: list[dict]) -> str:
    """One record a line."""
    return "\n".join(json.dumps(record(row), sort_keys=True) for row in rows)
