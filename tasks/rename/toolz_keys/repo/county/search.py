"""Finding a map of a parish."""

from toolz import pluck


def keys_of(rows, parish: str) -> list[str]:
    """Keys of the maps of a parish, in order."""
    return sorted(pluck("key", [row for row in rows if row["parish"] == parish]))
