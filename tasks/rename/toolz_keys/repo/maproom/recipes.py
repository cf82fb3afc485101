"""Small things over rows that several modules need."""

from toolz import assoc, merge

from maproom.model import Row


def by_key(rows: list[Row]) -> dict[str, Row]:
    """Rows by key. Raises ValueError where two rows have the same."""
    found: dict[str, Row] = {}
    for row in rows:
        if row["key"] in found:
            raise ValueError(f"two rows with the key {row['key']}")
        found = assoc(found, row["key"], row)
    return found


def changed(rows: list[Row], changes: dict[str, Row]) -> list[Row]:
    """The rows with changes, which are given by key."""
    return [merge(row, changes.get(row["key"], {})) for row in rows]


def report(maps: list[Row], loans: list[Row]) -> list[str]:
    """How many of each there are."""
    return [f"maps: {len(by_key(maps))}", f"loans: {len(by_key(loans))}"]
