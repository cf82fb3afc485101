"""Maps that the county has lent to schools."""

from toolz import join, merge


def out(maps, loans) -> list[dict]:
    """Maps that are out, each with its loan in one row."""
    return [merge(*pair) for pair in join("key", maps, "key", loans)]
