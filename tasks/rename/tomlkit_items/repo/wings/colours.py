"""Looking for things by colour, for the lighting people."""

from collections.abc import Iterable

from tomlkit.items import Table

WARM = {"brass", "red", "brown", "gold"}


def items_of_colour(rows: Iterable[Table], colour: str) -> list[Table]:
    """Everything of a colour, by mark."""
    items = [row for row in rows if row["colour"] == colour]
    return sorted(items, key=lambda row: row["mark"])


def warm_share(rows: Iterable[Table]) -> int:
    """Percent of things in warm colours, rounded down."""
    colours = [row["colour"] for row in rows]
    return 100 * sum(colour in WARM for colour in colours) // max(1, len(colours))


def colour_card(rows: list[Table], colour: str) -> str:
    """Names of all things of a colour, in one line."""
    return ", ".join(row["name"] for row in items_of_colour(rows, colour)) or "nothing"
