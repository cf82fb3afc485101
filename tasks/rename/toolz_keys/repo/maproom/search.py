"""Finding a map."""

from toolz import first, pluck

from maproom.model import Row


def keys_of(rows: list[Row], place: str) -> list[str]:
    """Keys of the maps of a place, in order."""
    return sorted(pluck("key", [row for row in rows if row["place"] == place]))


def find(rows: list[Row], key: str) -> Row:
    """The map with that key. Raises StopIteration where there is none."""
    return first(row for row in rows if row["key"] == key)


def explained(rows: list[Row]) -> list[str]:
    """Titles of the maps that explain their signs."""
    return [row["title"] for row in rows if row["has_key"]]


def report(maps: list[Row], loans: list[Row]) -> list[str]:
    """Maps of each place with loans, then what explains itself."""
    places = sorted({row["place"] for row in maps})
    lines = [f"{place}: {', '.join(keys_of(maps, place))}" for place in places]
    return [*lines, f"explained: {len(explained(maps))}"]
