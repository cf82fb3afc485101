"""Verbs that make or give away things: new-task, export, records."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness.build import all_tasks
from harness.config import project_folder
from harness.verbs.common import run_folder, say, warn


def new_task(family: str, name: str | None, source: str, to: str, full: bool) -> int:
    """Write a fixture skeleton around a codebase."""
    from harness import skeleton

    place = Path(to) if Path(to).is_absolute() or Path(to).is_dir() else project_folder() / to
    code = Path(source)
    root = skeleton.new_task(family, name or code.resolve().name, code, place, full=full)
    say(f"written: {root / 'task.yaml'}; fill it in, then: seambench validate {root}")
    return 0


def export_records(path: str, kind: str, to: str | None) -> int:
    """Records of a run as parquet, csv or a Hugging Face dataset folder."""
    from harness import products

    folder = run_folder(path)
    ending = {"parquet": "records.parquet", "csv": "records.csv", "hf": "records-hf"}[kind]
    target = Path(to) if to else folder.root / ending
    say(f"written: {products.export_records(folder, kind, target)}")
    return 0


def export_prefixes(path: str, to: str) -> int:
    """Frozen prefixes of a run as a dataset folder."""
    from harness import products

    count = products.export_prefixes(run_folder(path), Path(to))
    say(f"{count} frozen prefixes written to {to}; use them with run.prefixes={to}")
    return 0


def export_memory(path: str, to: str) -> int:
    """What long_mem would have stored in a run, to pre-fill the store of another one."""
    from harness import products

    items, tasks = products.export_memory(run_folder(path), Path(to))
    say(f"{items} items of {tasks} tasks written to {to}; use them with strategy.options.prefill")
    return 0


def export_tasks(to: str, places: Sequence[str]) -> int:
    """The task set as a Hugging Face dataset."""
    from harness import exchange

    tasks = all_tasks(places, warn)
    exchange.export_tasks(tasks, Path(to))
    say(f"{len(tasks)} tasks written to {to}; use them with tasks.source=hf:{to}")
    return 0
