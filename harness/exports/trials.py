"""The items (sessions, messages, seams) of a stored trial or of any session file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from harness.errors import UserError
from harness.readers import NotRead, open_source, reader_of
from harness.readers.base import Item
from harness.readers.own import OwnReader
from harness.store import RunFolder


def read_items(path: Path) -> list[Item]:
    """Everything in a session file. Raises UserError where it cannot be read."""
    try:
        return list(reader_of(open_source(path)).items())
    except NotRead as error:
        raise UserError(f"{path}: {error}") from None


def trial_items(prefix: Path, trial: Path) -> list[Item]:
    """A trial behind its prefix, from both `events.jsonl`, as one session."""
    reader = OwnReader(open_source(trial))
    for number, _, event in open_source(prefix).records("lines"):
        reader.guarded(number, "", event)
    return [*reader.to.take(), *reader.items()]


def run_items(run: RunFolder) -> Iterator[tuple[str, list[Item]]]:
    """(trial id, items) of every trial of a run that has a transcript."""
    for record in run.records():
        trial = run.trial(record["trial_id"]) / "events.jsonl"
        prefix = run.prefix(str(record.get("prefix_hash"))) / "events.jsonl"
        if trial.is_file() and prefix.is_file():
            yield record["trial_id"], trial_items(prefix, trial)
