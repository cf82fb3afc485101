"""Intake at the shed: what came in, by block and by week."""

from orchard.flow import Flow
from orchard.ledger import Season


def block_weights(rows):
    """Kilograms by block; bins that came in empty are left out."""
    return Flow(rows).where(lambda row: row["kg"] > 0).sums("block", "kg")


def week_weights(rows):
    """Kilograms by week of the year."""
    return Flow(rows).sums(lambda row: row["day"].isocalendar().week, "kg")


def report(season: Season) -> list[str]:
    """Lines for the board: blocks in order, then weeks."""
    blocks = sorted(block_weights(season.picked).items())
    weeks = sorted(week_weights(season.picked).items())
    lines = [f"block {block}: {kg} kg" for block, kg in blocks]
    return lines + [f"week {week}: {kg} kg" for week, kg in weeks]
