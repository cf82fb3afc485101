"""The records that are added to a run folder while it runs, by this process or by others."""

from __future__ import annotations

import json
from pathlib import Path

from harness.types import Record


class Tail:
    """Gives each record of a records.jsonl once, from byte `at` on."""

    def __init__(self, path: Path, at: int = 0) -> None:
        self._path, self._at = path, at

    @classmethod
    def from_end(cls, path: Path) -> Tail:
        """Of what is added from now on."""
        return cls(path, path.stat().st_size if path.exists() else 0)

    def new(self) -> list[Record]:
        """Records of the whole lines that were not given yet. Older lines are not read."""
        if not self._path.exists():
            return []
        with self._path.open("rb") as file:
            file.seek(self._at)
            added = file.read()
        whole = added[: added.rfind(b"\n") + 1]
        self._at += len(whole)
        return [json.loads(line) for line in whole.splitlines()]
