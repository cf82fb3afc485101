"""What the van carries, against what it may carry."""

from collections.abc import Iterable

from tomlkit.items import Table

VAN_GRAMS = 340_000
CASE_GRAMS = 900
RAMP_GRAMS = 18_000


def sum_of_items(rows: Iterable[Table]) -> int:
    """Grams with a case around each."""
    items = list(rows)
    return sum(row["grams"] for row in items) + CASE_GRAMS * len(items)


def van_load(rows: Iterable[Table]) -> str:
    """One line for the driver: the load, and what could come on top."""
    grams = sum_of_items(rows) + RAMP_GRAMS
    spare = VAN_GRAMS - grams
    if spare < 0:
        return f"{grams / 1000:.1f} kg, too much by {-spare / 1000:.1f} kg"
    return f"{grams / 1000:.1f} kg, {spare / 1000:.1f} kg to spare"
