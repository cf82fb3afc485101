"""What the other growers take to the market."""

from orchard.flow import Flow


def stall_weights(rows):
    """Kilograms of table fruit by grower."""
    return Flow(rows).where(lambda row: row["grade"] < 3).sums("grower", "kg")
