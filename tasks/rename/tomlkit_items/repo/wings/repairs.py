"""The list that goes to the workshop on Mondays."""

from collections.abc import Iterable

from tomlkit.items import Table

from wings.store import item_by_mark


def broken_items(rows: Iterable[Table]) -> list[Table]:
    """What needs mending, the dearest first."""
    items = [row for row in rows if "broken" in row]
    return sorted(items, key=lambda row: -row["euros"])


def mended(rows: list[Table], mark: str) -> None:
    """The workshop has brought something back."""
    del item_by_mark(rows, mark)["broken"]


def repair_list(rows: Iterable[Table]) -> str:
    """A line each: mark, name, what is wrong."""
    found = broken_items(rows)
    if not found:
        return "Nothing to mend."
    return "\n".join(f"{row['mark']}  {row['name']}: {row['broken']}" for row in found)
