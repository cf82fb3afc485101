"""Rows as a table for people."""

from collections.abc import Sequence

from watch.snapshot import Row

HEAD = ["name", "hits", "misses", "size"]


def cells(row: Row) -> list[str]:
    """What is printed of a row, in the order of `HEAD`."""
    limit = "-" if row["limit"] is None else row["limit"]
    return [
        str(row["name"]),
        str(row["hits"]),
        str(row["misses"]),
        f"{row['size']}/{limit}",
    ]


def widths(lines: Sequence[Sequence[str]]) -> list[int]:
    """The width of each column."""
    return [max(len(cell) for cell in column) for column in zip(*lines, strict=True)]


def render(rows: Sequence[Row]) -> str:
    """The table: names to the left, numbers to the right, two blanks between columns."""
    lines = [HEAD, *(cells(row) for row in rows)]
    wide = widths(lines)
    shown = []
    for first, *rest in lines:
        parts = [first.ljust(wide[0])]
        parts += [cell.rjust(width) for cell, width in zip(rest, wide[1:], strict=True)]
        shown.append("  ".join(parts).rstrip())
    return "\n".join(shown)
