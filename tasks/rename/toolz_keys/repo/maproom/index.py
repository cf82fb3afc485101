"""The index of places, printed at the end of the catalogue."""

from toolz import groupby

from maproom.model import Row


def entries(rows: list[Row]) -> list[str]:
    """A heading for each place, with the maps under it."""
    lines = []
    for place, found in sorted(groupby("place", rows).items()):
        lines.append(place)
        lines.extend(f"  {row['key']:<8}{row['title']}" for row in found)
    return lines


def report(maps: list[Row], loans: list[Row]) -> list[str]:
    """The index."""
    return entries(maps)
