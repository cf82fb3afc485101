"""Sorting of what the other growers bring; one price for a grade."""

from orchard.flow import Flow


def sweet_growers(rows, brix: float):
    """Growers with fruit at least that sweet, and how many bins of it."""
    return Flow(rows).where(lambda row: row["brix"] >= brix).counts("grower")
