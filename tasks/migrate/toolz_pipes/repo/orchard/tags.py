"""Pallet tags, printed on sheets."""

from orchard.flow import Flow
from orchard.ledger import Season

PALLET_KG = 300


def tag_text(row) -> str:
    """One tag: block and day."""
    return f"{row['block']} {row['day']:%d.%m.}"


def tag_sheets(rows):
    """Tags of the bins that fill a pallet, a tuple for each sheet."""
    return Flow(rows).where(lambda row: row["kg"] >= PALLET_KG).each(tag_text).sheets(96).rows()


def report(season: Season) -> list[str]:
    """One line for each sheet."""
    sheets = tag_sheets(season.picked)
    return [f"sheet {n}: {' | '.join(sheet)}" for n, sheet in enumerate(sheets, 1)]
