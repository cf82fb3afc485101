"""What verbs share: saying things, and finding a run folder with what is stored in it."""

from __future__ import annotations

import functools
import json
from pathlib import Path

import yaml

from harness.config import config_folder, project_folder
from harness.errors import UserError
from harness.measures import Stored
from harness.prefix import load_prefix
from harness.rubric import Rubric, load_rubric
from harness.store import RunFolder
from harness.task_model import Task
from harness.tasks import parse_task
from harness.terminal import echo
from harness.transcript import read_events
from harness.types import Record


def say(text: str) -> None:
    """One line of a verb's answer."""
    echo(text)


def warn(text: str) -> None:
    """One line beside the answer."""
    echo(f"note: {text}", beside=True)


def run_folder(path: str) -> RunFolder:
    """An existing run folder, by path or by name under results/."""
    for root in (Path(path), project_folder() / "results" / path):
        if (root / "lock.json").is_file():
            return RunFolder(root.resolve())
    raise UserError(f"{path}: no run folder (no lock.json there)")


def stored_trial(folder: RunFolder, record: Record) -> Stored:
    """What is stored of a record's trial."""
    prefix = load_prefix(folder.prefix(str(record["prefix_hash"])), snapshot=False)
    return Stored(
        task=stored_task(folder, record["task_hash"]),
        seam=prefix.seam,
        prefix_events=prefix.events,
        events=read_events(folder.trial(record["trial_id"]) / "events.jsonl"),
        text=folder.blobs.text,
    )


def stored_task(folder: RunFolder, task_hash: str) -> Task:
    """The fixture as it was run."""
    return _task_at(folder.task(task_hash))


@functools.lru_cache(maxsize=128)
def _task_at(path: Path) -> Task:
    """Files of tasks are named by what is in them; to read one takes longer than to score."""
    data = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return parse_task(data, str(path))


def rubric_of(folder: RunFolder) -> Rubric:
    """The rubric a run was scored with. Raises UserError where it is another one now."""
    lock = json.loads((folder.root / "lock.json").read_text(encoding="utf-8"))
    rubric = load_rubric(config_folder() / "rubric" / f"{lock['rubric']}.yaml")
    if rubric.hash != lock["rubric_hash"]:
        raise UserError(f"{folder.root}: scored with another rubric ({lock['rubric_hash'][:12]})")
    return rubric
