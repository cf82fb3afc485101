"""The verb audit: what compactions in session files lost, as text, JSON Lines and a page."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from harness.audit.report import Result, audit_paths
from harness.errors import UserError
from harness.verbs.common import say


def run(given: argparse.Namespace) -> int:
    """Exit code 0 where anything was read, 1 where nothing was."""
    if given.to_fixture:
        from harness.audit.fixture import write_fixture

        root = write_fixture(
            given.paths, given.to_fixture, Path(given.to), given.source, hide=given.redact
        )
        say(f"wrote {root}: fill in every <...>, then `seambench validate {root}`")
        return 0
    targets = [Path(path) for path in (given.json, given.html) if path]
    _check_targets(targets)
    result = audit_paths(given.paths)
    if given.redact:
        result = redacted(result)
    # Files first: a reader of the terminal may go away, as `head` does.
    if given.json:
        from harness.audit.rates import rows

        found = chain(result.rows(), rows(result.seams))
        _write(Path(given.json), (json.dumps(row, ensure_ascii=False) + "\n" for row in found))
    if given.html:
        from harness.audit.page import page

        _write(Path(given.html), [page(result)])
    show(result)
    for path in targets:
        say(f"wrote {path}")
    return 0 if result.read else 1


def show(result: Result) -> None:
    """The summary on the terminal."""
    from harness.audit.terminal import lines

    for line in lines(result):
        say(line.encode("utf-8", "replace").decode("utf-8"))


def redacted(result: Result) -> Result:
    """The same without what should not be shown."""
    from dataclasses import asdict

    from harness.audit.redact import redact

    files = [replace(row, **redact(asdict(row))) for row in result.files]
    return Result(files, redact(result.sessions), redact(result.seams))


def _check_targets(targets: Sequence[Path]) -> None:
    for path in targets:
        if path.is_dir() or not path.resolve().parent.is_dir():
            raise UserError(f"{path}: cannot be written; give a file in a folder that exists")


def _write(path: Path, parts: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
        file.writelines(parts)
