"""The sheet for the insurer, signed by the director."""

from collections.abc import Iterable

from tomlkit.items import Table

FREE_EUROS = 50


def insured_items(rows: Iterable[Table]) -> list[Table]:
    """What is worth more than the insurer leaves to us."""
    items = [row for row in rows if row["euros"] > FREE_EUROS]
    return sorted(items, key=lambda row: (-row["euros"], row["mark"]))


def insurance_sheet(rows: Iterable[Table]) -> str:
    """A line each and the sum."""
    insured = insured_items(rows)
    lines = [f"{row['mark']}  {row['name']:<22}{row['euros']:>6}" for row in insured]
    total = sum(row["euros"] for row in insured)
    return "\n".join([*lines, f"{'sum':<28}{total:>6}"])
