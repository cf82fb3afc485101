"""Maps that are out."""

from datetime import date

from toolz import join, merge

from maproom.model import Row


def out(maps: list[Row], loans: list[Row]) -> list[Row]:
    """Maps that are out, each with its loan in one row."""
    return [merge(*pair) for pair in join("key", maps, "key", loans)]


def overdue_keys(loans: list[Row], today: date) -> list[str]:
    """Keys of what should be back."""
    return [loan["key"] for loan in loans if loan["due"] < today]


def report(maps: list[Row], loans: list[Row]) -> list[str]:
    """Titles with readers, then the number of overdue maps at the end of October."""
    lines = [f"{row['title']}: {row['reader']}" for row in out(maps, loans)]
    return [*lines, f"overdue: {len(overdue_keys(loans, date(2026, 10, 31)))}"]
