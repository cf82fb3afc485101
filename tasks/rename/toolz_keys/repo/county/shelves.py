"""Drawers of the county's archive."""

from toolz import countby


def drawer(row) -> str:
    """The first two signs."""
    return row["key"][:2]


def drawer_sizes(rows) -> dict[str, int]:
    """Number of maps by drawer."""
    return countby(drawer, rows)
