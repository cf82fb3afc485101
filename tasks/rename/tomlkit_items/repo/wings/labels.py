"""The sticky labels: two lines, 22 characters each."""

from collections.abc import Iterable

from tomlkit.items import Table

WIDTH = 22


def short(text: str) -> str:
    """Text cut to the width of a label."""
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"


def item_label(row: Table) -> str:
    """Mark and shelf above, name below."""
    head = f"{row['mark']}{row['shelf']:>{WIDTH - len(row['mark'])}}"
    return f"{head}\n{short(row['name'])}"


def label_roll(rows: Iterable[Table]) -> str:
    """All labels in the order of the shelves."""
    ordered = sorted(rows, key=lambda row: (row["shelf"], row["mark"]))
    return "\n\n".join(item_label(row) for row in ordered)
