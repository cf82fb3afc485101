"""Slips that readers fill in, one line for each map."""

from maproom.model import Row


def slip(row: Row) -> str:
    """The line of one map."""
    return f"[ ] {row['key']:<8}{row['year']} {row['title']}"


def slips(rows: list[Row]) -> list[str]:
    """The lines of all maps, oldest first."""
    return [slip(row) for row in sorted(rows, key=lambda row: row["year"])]


def report(maps: list[Row], loans: list[Row]) -> list[str]:
    """The slips."""
    return slips(maps)
