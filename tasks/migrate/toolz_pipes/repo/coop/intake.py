"""Intake from the other growers."""

from orchard.flow import Flow


def grower_weights(rows):
    """Kilograms by grower; bins that came in empty are left out."""
    return Flow(rows).where(lambda row: row["kg"] > 0).sums("grower", "kg")
