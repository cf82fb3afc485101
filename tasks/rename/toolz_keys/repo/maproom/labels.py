"""Labels for the folders, on archival paper."""

from maproom.model import Row


def label(row: Row) -> str:
    """The label of one folder."""
    sign = "*" if row["has_key"] else " "
    return f"{row['key']:<8}{sign} {row['place'].upper()} {row['year']}"


def report(maps: list[Row], loans: list[Row]) -> list[str]:
    """All labels."""
    return [label(row) for row in maps]
