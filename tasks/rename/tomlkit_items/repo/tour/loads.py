"""What goes into the trailer."""

from tomlkit.items import Table

TRAILER_GRAMS = 120_000


def sum_of_items(rows: list[Table]) -> int:
    """Grams without cases, which are screwed to the floor."""
    return sum(row["grams"] for row in rows)


def trailer_load(rows: list[Table]) -> str:
    """A word for the driver."""
    return "fine" if sum_of_items(rows) <= TRAILER_GRAMS else "too heavy"
