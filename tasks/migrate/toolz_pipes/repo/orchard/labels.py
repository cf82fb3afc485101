"""Crate labels, printed on sheets."""

from orchard.flow import Flow
from orchard.ledger import Season


def label_text(row) -> str:
    """One label: variety, block and weight."""
    return f"{row['variety']} / {row['block']} / {row['kg']} kg"


def label_sheets(rows):
    """Labels of the first grade, a tuple for each sheet."""
    return Flow(rows).where(lambda row: row["grade"] == 1).each(label_text).sheets(96).rows()


def report(season: Season) -> list[str]:
    """One line for each sheet."""
    sheets = label_sheets(season.picked)
    return [f"sheet {n}: {len(sheet)} labels" for n, sheet in enumerate(sheets, 1)]
