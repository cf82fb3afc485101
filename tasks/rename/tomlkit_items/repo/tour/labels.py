"""Labels for the flight cases: one line, large."""

from tomlkit.items import Table

WIDTH = 14


def item_label(row: Table) -> str:
    """Mark and as much of the name as there is room for."""
    return f"{row['mark']} {row['name'][: WIDTH - 5].upper()}"


def case_labels(rows: list[Table]) -> str:
    """One label under the other."""
    return "\n".join(item_label(row) for row in rows)
