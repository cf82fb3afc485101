"""The verb export for transcripts: ATIF documents, or one Inspect log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from harness.errors import UserError
from harness.exports.atif import to_atif
from harness.exports.trials import read_items, run_items
from harness.readers.base import Item, Session
from harness.verbs.common import run_folder, say


def export_transcripts(path: str, kind: str, to: str) -> int:
    """Transcripts of a run, or of one session file, as `atif` (a folder) or `inspect` (a file)."""
    sessions = dict(_sessions(path))
    if not sessions:
        raise UserError(f"{path}: no transcript in it")
    target = Path(to)
    if kind == "inspect":
        from harness.exports.inspect_log import write_inspect_log

        if target.suffix != ".eval":
            raise UserError(f"--to: {to}: an Inspect log is a file that ends in .eval")
        write_inspect_log(sessions, target)
    else:
        target.mkdir(parents=True, exist_ok=True)
        for name, items in sessions.items():
            text = json.dumps(to_atif(items), ensure_ascii=False, indent=1)
            (target / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    say(f"{len(sessions)} transcripts written to {target}")
    return 0


def _sessions(path: str) -> Iterator[tuple[str, list[Item]]]:
    if not Path(path).is_file():
        yield from run_items(run_folder(path))
        return
    found: list[list[Item]] = []
    for item in read_items(Path(path)):
        if isinstance(item, Session):
            found.append([])
        found[-1].append(item)
    stem = Path(path).stem
    for number, items in enumerate(found, 1):
        yield stem if len(found) == 1 else f"{stem}-{number}", items
