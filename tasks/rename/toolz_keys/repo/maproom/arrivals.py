"""The list of new maps, pinned to the door."""

from toolz import topk

from maproom.model import Row


def newest(rows: list[Row], n: int) -> list[Row]:
    """The n youngest maps, by year and then by key."""
    return list(topk(n, rows, key=lambda row: (row["year"], row["key"])))


def lines(rows: list[Row]) -> list[str]:
    """A line for each map."""
    return [f"{row['key']:<8}{row['year']}  {row['title']}" for row in rows]


def report(maps: list[Row], loans: list[Row]) -> list[str]:
    """The three youngest maps."""
    return lines(newest(maps, 3))
