"""A folder with one file for each kind of thing, and one JSON object on each line.

    plan/shifts.jsonl
    plan/jobs.jsonl

Lines can be read by other programs while the scheduler goes on, and a damaged line does not take
the rest of the file with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from rota import RotaError

SUFFIX = ".jsonl"
WAYS = ("skip", "raise")
Row = dict[str, Any]


class Shelf:
    """The files of one plan."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, kind: str) -> Path:
        """The file of one kind."""
        if not kind.isidentifier():
            raise RotaError(f"not the name of a kind: {kind!r}")
        return self.folder / (kind + SUFFIX)

    def kinds(self) -> list[str]:
        """The kinds of things that the folder holds."""
        return sorted(path.stem for path in self.folder.glob("*" + SUFFIX))

    def rows(self, kind: str, *, bad: str = "raise") -> list[Row]:
        """The rows of one kind in order, empty where there are none.

        `bad` says what becomes of a line that cannot be read: `skip` leaves it out, `raise`
        refuses the whole file and names the line.
        """
        if bad not in WAYS:
            raise RotaError(f"bad: expected one of {', '.join(WAYS)}, found {bad!r}")
        path = self.path(kind)
        if not path.exists():
            return []
        rows: list[Row] = []
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                rows.append(_parsed(line))
            except ValueError as error:
                if bad == "raise":
                    raise RotaError(f"{path}:{number}: {error}") from None
        return rows

    def write(self, kind: str, rows: Iterable[Mapping[str, Any]]) -> None:
        """Replace the rows of one kind; the old file stays until the new one is whole."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.path(kind)
        scratch = path.with_name(path.name + ".part")
        scratch.write_text("".join(_line(row) for row in rows), encoding="utf-8")
        scratch.replace(path)


def _parsed(line: str) -> Row:
    row = json.loads(line)
    if not isinstance(row, dict):
        raise ValueError("expected a JSON object")
    return row


def _line(row: Mapping[str, Any]) -> str:
    return json.dumps(dict(row), ensure_ascii=False) + "\n"
