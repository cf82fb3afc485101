"""Verbs that run: run, register, resume, retry."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import yaml

from harness.build import chosen_tasks, sandbox_here
from harness.cell import Cell
from harness.config import config_folder, load_config, project_folder
from harness.errors import UserError, first_of
from harness.executors import carrier
from harness.local_model import pinned, serving
from harness.products import import_prefixes
from harness.progress import Progress
from harness.registration import register as register_study
from harness.registration import registration, require_registered
from harness.rubric import Rubric, load_rubric
from harness.runner import (
    check_plan,
    plan_cells,
    planned_trials,
    run_plan,
    trial_ids,
    valid_count,
)
from harness.scratch import swept
from harness.settings import Config
from harness.store import RunFolder, write_atomic
from harness.tasks import LoadedTask
from harness.types import Status
from harness.verbs.common import run_folder, say, warn
from harness.verbs.report import report_run


def run(overrides: Sequence[str], only_reason: str | None = None) -> int:
    """Run a configuration to its end: trials, records, tables, plots. 1 where some are owed.

    only_reason: of the trials with status error, run only those whose reason begins so.
    """
    config, config_yaml = load_config(overrides)
    config = pinned(config)
    check_plan(config)
    tasks = chosen_tasks(config, warn)
    cells = plan_cells(config, tasks)
    folder = results_folder(config)
    if config.study.valid is not None:
        require_registered(folder, registration(config, cells, tasks, locked_rubric(config)))
    open_run(folder, config, config_yaml, tasks)
    with swept(), folder.locked(), _told_where(folder):
        folder.write_command(overrides)
        folder.write_plan(planned_trials(cells))
        if config.run.prefixes:
            import_prefixes(Path(config.run.prefixes), folder, [cell.key for cell in cells])
        _carry_out(config, _narrowed(folder, cells, only_reason), folder)
        if folder.planned() is None:
            told = "was removed while the run was at work, with what was finished by then"
            raise UserError(f"{folder.root}: {told}; give the same command again")
        if config.study.valid is None or valid_count(config, folder) >= config.study.valid:
            report_run(folder)
            return _close(folder)
    found = valid_count(config, folder)
    say(f"{found} of {config.study.valid} valid records; no outcome is shown before")
    _close(folder)
    return 1


@contextlib.contextmanager
def _told_where(folder: RunFolder) -> Iterator[None]:
    """A full disk and its like, wherever they are met, as one line that names the folder."""
    try:
        yield
    except (OSError, ExceptionGroup) as error:
        first = first_of(error)
        if not isinstance(first, OSError) or isinstance(first, BrokenPipeError):
            raise
        told = f"{folder.root}: {first.strerror or first}"
        told += f" ({first.filename})" if first.filename else ""
        raise UserError(f"{told}; nothing finished is lost, the same command goes on") from None


def estimate(overrides: Sequence[str]) -> int:
    """Calls, tokens, money and time that a run would take, before it is run."""
    from harness.estimate import estimate as estimated

    config, _ = load_config(overrides)
    check_plan(config)
    tasks = chosen_tasks(config, warn)
    for line in estimated(config, plan_cells(config, tasks)):
        say(line)
    return 0


def register(overrides: Sequence[str]) -> int:
    """Write down what a study consists of, before it runs."""
    config, _ = load_config(overrides)
    config = pinned(config)
    check_plan(config)
    tasks = chosen_tasks(config, warn)
    cells = plan_cells(config, tasks)
    folder = results_folder(config)
    parts = registration(config, cells, tasks, locked_rubric(config))
    found = register_study(folder, parts)
    say(f"registered: {folder.root / 'registration.json'}")
    say(f"{parts['trials']} trials over {len(tasks)} tasks, digest {found}")
    return 0


def resume(path: str, only_reason: str | None = None) -> int:
    """Run a folder's own command again; `only_reason` narrows what is tried again."""
    return run(run_folder(path).command(), only_reason)


def _narrowed(folder: RunFolder, cells: Sequence[Cell], only_reason: str | None) -> list[Cell]:
    """Cells with only the arms whose error has the given reason; all cells for None."""
    if only_reason is None:
        return list(cells)
    wanted = {
        name
        for name, head in folder.heads().items()
        if f"{head.status}:{head.reason}".startswith(only_reason)
    }
    kept = [
        replace(cell, arms=[arm for arm in cell.arms if wanted.intersection(cell.trial_ids(arm))])
        for cell in cells
    ]
    return [cell for cell in kept if cell.arms]


def _carry_out(config: Config, cells: Sequence[Cell], folder: RunFolder) -> None:
    sandbox = sandbox_here(config.run.sandbox)
    if sandbox.name == "plain":
        warn(f"commands run without a sandbox: {sandbox.reason}")
    ids = set(trial_ids(cells))
    done = [n for n, head in folder.heads().items() if n in ids and head.status != Status.ERROR]
    with Progress(len(ids)) as progress:
        progress.already(len(done))

        def carry(cells: Sequence[Cell]) -> None:
            if cells:
                with serving(config, warn) as served:
                    carrier(served, folder, progress.event)(cells)

        run_plan(config, cells, folder, carry)


def _close(folder: RunFolder) -> int:
    """Say what is owed; exit code 0 only when everything planned is there."""
    heads = folder.heads()
    failed = [name for name, head in heads.items() if head.status == Status.ERROR]
    for name in failed[:5]:
        record = [r for r in folder.find(name) if r["trial_id"] == name][-1]
        warn(f"{record['task']} {record['arm']}: {record['attempts'][-1]['text']}")
    planned = sum((folder.planned() or {}).values())
    owed = max(len(failed), planned - len(heads) + len(failed))
    say(f"\nrun folder: {folder.root}")
    say(f"next: seambench score {folder.root}, then seambench show TRIAL --run {folder.root}")
    if owed:
        say(f"{owed} of {planned} trials are owed; the same command runs them")
    return 1 if owed else 0


def results_folder(config: Config) -> RunFolder:
    """The folder of a configuration's run, which need not exist."""
    results = Path(config.run.results).expanduser()
    results = results if results.is_absolute() else project_folder() / results
    return RunFolder(results / config.run_name())


def locked_rubric(config: Config) -> Rubric:
    """The configuration's rubric. Raises UserError where it was edited."""
    return load_rubric(config_folder() / "rubric" / f"{config.rubric}.yaml")


def open_run(
    folder: RunFolder, config: Config, config_yaml: str, tasks: Sequence[LoadedTask]
) -> None:
    """Make the run's folder, or check that it is of this configuration; store the tasks in it."""
    hashes = {loaded.task.id: loaded.hash for loaded in tasks}
    rubric = locked_rubric(config)
    identity = {**config.identity(), "task_hashes": hashes, "rubric_hash": rubric.hash}
    folder.open(identity, config_yaml)
    for loaded in tasks:
        path = folder.task(loaded.hash)
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            data = loaded.task.model_dump(mode="json", exclude_unset=True)
            text = yaml.safe_dump(data, allow_unicode=True, sort_keys=False)
            write_atomic(path, text.encode("utf-8"))
