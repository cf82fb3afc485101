"""The task set as a Hugging Face dataset: parquet, card, features; and back."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.tasks import LoadedTask, parse_task

CARD = """---
configs:
- config_name: default
  data_files:
{data_files}
---
# seambench tasks

{count} tasks of {codebases} codebases for measuring whether a coding agent carries on with its
work after its history is compacted. Families: {families}. Conversations: {languages}.

One row per task: `id, family, codebase, language, split, hash`, the resolved `task` (JSON: request,
remarks, facts, sub-goals, checks, solution), the codebase in `files` and the hidden completion
check in `hidden` (lists of `path`, `content`). Facts, checks and solutions are for judging; an
agent under test must see none of them.

    seambench run tasks.source=hf:<this folder or its hub name>

Codebases that come from published libraries keep their own licences.
"""


def export_tasks(tasks: Sequence[LoadedTask], folder: Path) -> None:
    """Write parquet files by split and a card. Raises UserError where the folder is not empty."""
    from datasets import Dataset, Features, List, Value, disable_progress_bars

    if folder.exists() and any(folder.iterdir()):
        raise UserError(f"{folder}: not empty; name a new folder")
    disable_progress_bars()
    file = {"path": Value("string"), "content": Value("binary")}
    names = ("id", "family", "codebase", "language", "split", "hash", "task")
    columns: dict[str, Any] = {name: Value("string") for name in names}
    features = Features({**columns, "files": List(file), "hidden": List(file)})
    folder.mkdir(parents=True, exist_ok=True)
    splits = sorted({loaded.task.split for loaded in tasks})
    for split in splits:
        rows = [_row(loaded) for loaded in tasks if loaded.task.split == split]
        Dataset.from_list(rows, features=features).to_parquet(str(folder / f"{split}.parquet"))
    (folder / "README.md").write_text(_card(tasks, splits), encoding="utf-8")


def _row(loaded: LoadedTask) -> dict[str, Any]:
    task = loaded.task
    return {
        "id": task.id,
        "family": task.family.value,
        "codebase": task.codebase,
        "language": task.language,
        "split": task.split,
        "hash": loaded.hash,
        "task": json.dumps(task.model_dump(mode="json", exclude_unset=True), ensure_ascii=False),
        "files": _files(loaded.files),
        "hidden": _files(loaded.hidden),
    }


def _files(files: dict[str, bytes]) -> list[dict[str, Any]]:
    return [{"path": path, "content": data} for path, data in files.items()]


def _card(tasks: Sequence[LoadedTask], splits: Sequence[str]) -> str:
    def told(values: Sequence[str]) -> str:
        return ", ".join(f"{name} {n}" for name, n in sorted(Counter(values).items()))

    lines = [f"  - split: {split}\n    path: {split}.parquet" for split in splits]
    return CARD.format(
        data_files="\n".join(lines),
        count=len(tasks),
        codebases=len({loaded.task.codebase for loaded in tasks}),
        families=told([loaded.task.family.value for loaded in tasks]),
        languages=told([loaded.task.language for loaded in tasks]),
    )


def import_tasks(source: str) -> list[LoadedTask]:
    """Tasks of a dataset, a local folder or a hub name.

    Raises UserError where it cannot be opened, or where a row's hash is not that of its content.
    """
    import datasets

    if Path(source).expanduser().is_dir():
        source = str(Path(source).expanduser())
    datasets.disable_progress_bars()
    try:
        loaded = datasets.load_dataset(source)
    except Exception as error:  # the loader's many errors all mean: no such dataset here
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise UserError(f"tasks.source: cannot open the dataset {source}: {first}") from None
    tasks = [_task(row, source) for split in sorted(loaded) for row in loaded[split]]
    return sorted(tasks, key=lambda task: task.task.id)


def _task(row: dict[str, Any], source: str) -> LoadedTask:
    where = f"{source}: {row.get('id')}"
    try:
        data = json.loads(row["task"])
        files = {file["path"]: file["content"] for file in row["files"]}
        hidden = {file["path"]: file["content"] for file in row["hidden"]}
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(f"{where}: not a row of seambench tasks: {error}") from None
    task = LoadedTask(task=parse_task(data, where), files=files, hidden=hidden)
    if task.hash != row["hash"]:
        raise UserError(f"{where}: the content does not have the hash of the row")
    return task
