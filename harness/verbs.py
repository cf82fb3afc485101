"""What each verb of the command line does. Each returns the process's exit code."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from harness.build import all_tasks, chosen_tasks, environment
from harness.config import Config, config_folder, load_config, project_folder
from harness.errors import UserError, first_of
from harness.measures import Stored, score
from harness.prefix import load_prefix
from harness.progress import Progress
from harness.rubric import Rubric, load_rubric
from harness.runner import check_plan, plan_cells, run_cells
from harness.store import RunFolder, read_records, write_atomic
from harness.task_model import Task
from harness.tasks import LoadedTask, parse_task
from harness.transcript import read_events
from harness.types import Record, Status

SCORED_FIELDS = (
    "continued",
    "continued_strict",
    "windows",
    "facts",
    "first_response",
    "plan_kept",
    "turns_to_resume",
    "turns_followed",
    "tokens_reread",
    "completed",
)


def say(text: str) -> None:
    print(text, flush=True)


def warn(text: str) -> None:
    print(f"note: {text}", file=sys.stderr, flush=True)


def run(overrides: Sequence[str]) -> int:
    """Run a configuration to its end: trials, records, tables, plots. 1 where some are owed."""
    config, config_yaml = load_config(overrides)
    check_plan(config)
    tasks = chosen_tasks(config, warn)
    folder = open_run(config, config_yaml, tasks)
    with folder.locked():
        try:
            records = asyncio.run(_run(config, tasks, folder))
        except (OSError, ExceptionGroup) as error:
            first = first_of(error)
            if not isinstance(first, OSError):
                raise
            told = f"{folder.root}: {first.strerror or first}"
            raise UserError(f"{told}; nothing finished is lost, the same command goes on") from None
    write_report([folder.root])
    owed = [r for r in records if r["status"] == Status.ERROR]
    for record in owed[:5]:
        warn(f"{record['task']} {record['arm']}: {record['attempts'][-1]['text']}")
    say(f"\nrun folder: {folder.root}")
    if owed:
        say(f"{len(owed)} of {len(records)} trials are owed; the same command runs them again")
    return 1 if owed else 0


async def _run(config: Config, tasks: Sequence[LoadedTask], folder: RunFolder) -> list[Record]:
    cells = plan_cells(config, tasks)
    folder.write_plan(Counter(arm.label for cell in cells for arm in cell.arms))
    with Progress(sum(len(cell.arms) for cell in cells)) as progress:
        async with environment(config, tasks, folder, progress.event) as env:
            if env.sandbox.name == "plain":
                warn(f"commands run without a sandbox: {env.sandbox.reason}")
            progress.already(sum(r["status"] != Status.ERROR for r in folder.records()))
            return await run_cells(env, cells)


def open_run(config: Config, config_yaml: str, tasks: Sequence[LoadedTask]) -> RunFolder:
    """The run's folder, checked to be of this configuration, with the tasks stored in it."""
    results = Path(config.run.results).expanduser()
    results = results if results.is_absolute() else project_folder() / results
    folder = RunFolder(results / config.run_name())
    hashes = {loaded.task.id: loaded.hash for loaded in tasks}
    rubric = load_rubric(config_folder() / "rubric" / f"{config.rubric}.yaml")
    identity = {**config.identity(), "task_hashes": hashes, "rubric_hash": rubric.hash}
    folder.open(identity, config_yaml)
    for loaded in tasks:
        path = folder.task(loaded.hash)
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            data = loaded.task.model_dump(mode="json", exclude_unset=True)
            text = yaml.safe_dump(data, allow_unicode=True, sort_keys=False)
            write_atomic(path, text.encode("utf-8"))
    return folder


def write_report(runs: Sequence[Path]) -> None:
    """Tables and plots of a run, and its first table on the terminal."""
    from analysis.report import summary_table, write_report

    for root in runs:
        folder = RunFolder(root)
        records, planned = [dict(record) for record in folder.records()], folder.planned()
        if not records:
            raise UserError(f"{root}: no records yet; run it first")
        write_report(root / "records.jsonl", root / "report", planned)
        say("\n" + summary_table(records, planned).to_text())


def report(paths: Sequence[str]) -> int:
    """Regenerate tables and plots of run folders from their records alone."""
    roots = [run_folder(path).root for path in paths]
    write_report(roots)
    for root in roots:
        say(f"report: {root / 'report'}")
    return 0


def run_folder(path: str) -> RunFolder:
    """An existing run folder, by path or by name under results/."""
    for root in (Path(path), project_folder() / "results" / path):
        if (root / "lock.json").is_file():
            return RunFolder(root.resolve())
    raise UserError(f"{path}: no run folder (no lock.json there)")


def stored_trial(folder: RunFolder, record: Record) -> Stored:
    """What is stored of a record's trial."""
    prefix = load_prefix(folder.prefix(str(record["prefix_hash"])))
    return Stored(
        task=stored_task(folder, record["task_hash"]),
        seam=prefix.seam,
        prefix_events=prefix.events,
        events=read_events(folder.trial(record["trial_id"]) / "events.jsonl"),
        text=folder.blobs.text,
    )


def stored_task(folder: RunFolder, task_hash: str) -> Task:
    """The fixture as it was run."""
    path = folder.task(task_hash)
    return parse_task(yaml.safe_load(path.read_text(encoding="utf-8")), str(path))


def verify(path: str) -> int:
    """Score every stored transcript again and compare; names each trial that differs."""
    folder = run_folder(path)
    rubric = _rubric_of(folder)
    records = [r for r in folder.records() if r["status"] == Status.SCORED]
    differing = 0
    for record in records:
        fields = differing_fields(folder, record, rubric)
        if fields:
            differing += 1
            say(f"differs: trial {record['trial_id']} ({record['task']} {record['arm']}): {fields}")
    say(f"{len(records)} scored records verified, {differing} differ")
    return 1 if differing else 0


def differing_fields(folder: RunFolder, record: Record, rubric: Rubric) -> str:
    """Names of the scored fields that a new score does not confirm, joined; "" for none."""
    again = json.loads(json.dumps(score(stored_trial(folder, record), rubric)))
    return ", ".join(name for name in SCORED_FIELDS if again[name] != record.get(name))


def _rubric_of(folder: RunFolder) -> Rubric:
    lock = json.loads((folder.root / "lock.json").read_text(encoding="utf-8"))
    rubric = load_rubric(config_folder() / "rubric" / f"{lock['rubric']}.yaml")
    if rubric.hash != lock["rubric_hash"]:
        raise UserError(f"{folder.root}: scored with another rubric ({lock['rubric_hash'][:12]})")
    return rubric


def score_run(path: str) -> int:
    """Print the verdict of every scored trial, from its stored transcript."""
    folder = run_folder(path)
    rubric = _rubric_of(folder)
    for record in folder.records():
        if record["status"] != Status.SCORED:
            say(f"{record['trial_id']} {record['status']:9} {record['reason']}")
            continue
        result = score(stored_trial(folder, record), rubric)
        word = "continued" if result["continued"] else "lost"
        modes = ", ".join(result["windows"]["registered"]["failure_modes"])
        say(f"{record['trial_id']} {word:9} {record['task']} {record['arm']} {modes}")
    return 0


def show(trial: str, runs: str | None) -> int:
    """One trial around its seam."""
    from harness.show import show_trial

    results = project_folder() / "results"
    folders = [run_folder(runs)] if runs else [RunFolder(p) for p in sorted(results.glob("*"))]
    for folder in folders:
        for record in read_records(folder.records_path):
            if record["trial_id"].startswith(trial) and record["status"] == Status.SCORED:
                say(show_trial(record, stored_trial(folder, record)))
                return 0
    raise UserError(f"no scored trial {trial!r} in {runs or results}")


def extract_file(path: str) -> int:
    """One JSON line per conversation of a JSON Lines file: {id, state}."""
    from dataclasses import asdict

    from harness.extract import extract

    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read as UTF-8 text: {error}") from None
    for number, line in enumerate(lines, 1):
        try:
            data: dict[str, Any] = json.loads(line)
            messages = data["messages"]
        except (ValueError, KeyError, TypeError):
            raise UserError(f"{path}: line {number}: expected {{id, messages}}") from None
        state = asdict(extract(messages))
        for kind in ("naming", "open", "done", "environment", "decisions"):
            state[kind] = [{"text": text} for text in state[kind]]
        say(json.dumps({"id": data.get("id"), "state": state}, ensure_ascii=False))
    return 0


def new_task(family: str, name: str | None, source: str, to: str, full: bool) -> int:
    """Write a fixture skeleton around a codebase."""
    from harness import skeleton

    place = Path(to) if Path(to).is_absolute() or Path(to).is_dir() else project_folder() / to
    code = Path(source)
    root = skeleton.new_task(family, name or code.resolve().name, code, place, full=full)
    say(f"written: {root / 'task.yaml'}; fill it in, then: seambench validate {root}")
    return 0


def export_tasks(to: str, places: Sequence[str]) -> int:
    """The task set as a Hugging Face dataset."""
    from harness import exchange

    tasks = all_tasks(places, warn)
    exchange.export_tasks(tasks, Path(to))
    say(f"{len(tasks)} tasks written to {to}; use them with tasks.source=hf:{to}")
    return 0


async def _serve(port: int, host: str, token: str | None, places: Sequence[str]) -> None:
    from harness.build import worker_backend
    from harness.gateway.server import Gateway

    tasks = all_tasks(places, warn)
    async with Gateway(worker_backend(tasks), host=host, port=port, token=token) as gateway:
        say(f"serving the reference worker for {len(tasks)} tasks at {gateway.base_url}")
        await asyncio.Event().wait()


def gateway(port: int, host: str, token: str | None, places: Sequence[str]) -> int:
    """Serve the reference worker as an OpenAI-compatible endpoint until interrupted."""
    asyncio.run(_serve(port, host, token, places))
    return 0
