"""Reading and writing the store. Comments that people left in the file stay in it."""

from collections.abc import Iterable
from pathlib import Path

import tomlkit
from tomlkit.items import Table


class UnknownMark(LookupError):
    """Nothing in the store has this mark."""


def load_rows(path: Path) -> list[Table]:
    """All rows, in the order of the file."""
    document = tomlkit.parse(path.read_text(encoding="utf-8"))
    return list(document["piece"])


def save_rows(path: Path, rows: Iterable[Table], season: int) -> None:
    """Write rows as a new store."""
    document = tomlkit.document()
    document.add("season", season)
    pieces = tomlkit.aot()
    for row in rows:
        pieces.append(row)
    document.add("piece", pieces)
    path.write_text(document.as_string(), encoding="utf-8")


def item_by_mark(rows: Iterable[Table], mark: str) -> Table:
    """The one row with this mark. Raises UnknownMark."""
    for row in rows:
        if row["mark"] == mark:
            return row
    raise UnknownMark(mark)


def shelves(rows: Iterable[Table]) -> list[str]:
    """All shelves in use, sorted."""
    return sorted({row["shelf"] for row in rows})
