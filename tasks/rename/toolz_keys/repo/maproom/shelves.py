"""What stands on which shelf."""

from toolz import countby, groupby

from maproom.model import Row


def shelf(row: Row) -> str:
    """The letter before the number."""
    return row["key"].split(" ")[0]


def shelf_sizes(rows: list[Row]) -> dict[str, int]:
    """Number of maps by shelf."""
    return countby(shelf, rows)


def report(maps: list[Row], loans: list[Row]) -> list[str]:
    """Each shelf with its maps."""
    lines = []
    for letter, found in sorted(groupby(shelf, maps).items()):
        lines.append(f"shelf {letter} ({shelf_sizes(maps)[letter]})")
        lines.extend(f"  {row['key']:<8}{row['title']}" for row in found)
    return lines
