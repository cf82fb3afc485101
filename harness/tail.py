"""What is added to a file while a run goes on, by this process or by others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


class Tail:
    """Gives each line of a JSON Lines file once, e.g. a record, from byte `at` on."""

    def __init__(self, path: Path, at: int = 0) -> None:
        self._path, self._at = path, at

    @classmethod
    def from_end(cls, path: Path) -> Tail:
        """Of what is added from now on."""
        return cls(path, path.stat().st_size if path.exists() else 0)

    def new(self) -> list[Any]:
        """The whole lines that were not given yet. Older lines are not read."""
        if not self._path.exists():
            return []
        with self._path.open("rb") as file:
            file.seek(self._at)
            added = file.read()
        whole = added[: added.rfind(b"\n") + 1]
        self._at += len(whole)
        return [json.loads(line) for line in whole.splitlines()]
