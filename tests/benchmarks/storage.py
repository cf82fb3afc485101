"""A run folder of 10,000 trials: bytes a trial, and what open, resume, show and report cost.

    python tests/benchmarks/storage.py --trials 10000

A small real run (the reference worker, simulated) is made and multiplied: ids and seams are those
of a true plan, so that nothing of it is owed; logs and snapshots are hard links, so that the disk
is not filled. Every verb runs in a process of its own, which counts the files it opens. `open` is
what a start reads of the records, `resume` finds nothing owed and puts them in order. Exit code 1
where a verb fails, or something is owed.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.build import chosen_tasks
from harness.cell import Cell
from harness.config import load_config
from harness.runner import owed_cells, plan_cells, planned_trials, trial_ids
from harness.store import RunFolder
from harness.text import digest
from harness.types import Record
from harness.verbs.runs import open_run

ROOT = Path(__file__).resolve().parents[2]
ARMS = ("bare", "long_mem", "engram", "combined")
TASKS = 4
"""Of family=quick."""
PLACES = ("records.jsonl", "trials", "prefixes", "blobs", "tasks")
VERBS = ("open", "resume", "show", "report")


def arguments(results: Path, name: str, repeats: int) -> list[str]:
    return [
        f"strategy={','.join(ARMS)}",
        "family=quick",
        "study.controls=[]",
        "study.beside=[]",
        f"seam.repeats={repeats}",
        f"run.results={results}",
        f"run.name={name}",
    ]


def plan(overrides: Sequence[str]) -> tuple[RunFolder, list[Cell]]:
    """The folder and the cells of a run's arguments; the folder is made, or checked."""
    config, text = load_config(overrides)
    tasks = chosen_tasks(config, print)
    folder = RunFolder(Path(config.run.results) / str(config.run.name))
    open_run(folder, config, text, tasks)
    return folder, plan_cells(config, tasks)


def multiply(small: RunFolder, overrides: Sequence[str]) -> RunFolder:
    """A finished run of these arguments whose trials are copies of those of a small one."""
    folder, cells = plan(overrides)
    folder.write_command(overrides)
    folder.write_plan(planned_trials(cells))
    models = {(r["task"], r["arm"]): r for r in small.records()}
    for path in small.blobs.folder.rglob("*"):
        if path.is_file():
            link(path, folder.root / path.relative_to(small.root))
    with folder.records_path.open("w", encoding="utf-8") as file:
        for cell in cells:
            for record in copies(small, folder, cell, models):
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
    return folder


def copies(
    small: RunFolder, folder: RunFolder, cell: Cell, models: dict[tuple[str, str], Record]
) -> list[dict[str, Any]]:
    """A cell's prefix and trials on disk, and the trials' records."""
    prefix_hash = digest([cell.key])
    records = []
    for arm in cell.arms:
        model = models[cell.loaded.task.id, arm.label]
        trial_id = cell.trial_id(arm)
        for path in small.trial(model["trial_id"]).iterdir():
            link(path, folder.trial(trial_id) / path.name)
        records.append(
            {
                **model,
                "trial_id": trial_id,
                "prefix_hash": prefix_hash,
                "repeat": cell.repeat,
                "timing": cell.rule.name,
                "prefix_draw": cell.draw,
            }
        )
    source, target = small.prefix(str(model["prefix_hash"])), folder.prefix(prefix_hash)
    for name in ("events.jsonl", "workspace.tar.gz"):
        link(source / name, target / name)
    seam = json.loads((source / "seam.json").read_text(encoding="utf-8"))
    changed = {**seam, "key": cell.key, "prefix_hash": prefix_hash}
    (target / "seam.json").write_text(json.dumps(changed, ensure_ascii=False), encoding="utf-8")
    return records


def link(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    os.link(source, target)


def carry_out(verb: str, folder: RunFolder, overrides: Sequence[str]) -> None:
    """Do what a verb does with the folder, in this process."""
    if verb == "open":
        folder.heads()
    elif verb == "resume":
        folder, cells = plan(overrides)
        if owed_cells(folder, cells):
            raise SystemExit("trials are owed")
        folder.sort_records(trial_ids(cells))
    elif verb == "show":
        from harness.verbs.look import show

        show(max(p.name for p in (folder.root / "trials").iterdir()), str(folder.root))
    else:
        from harness.verbs.report import report

        report([str(folder.root)])


def probe(verb: str, overrides: Sequence[str]) -> None:
    """Print, as the last line, seconds, peak memory and files opened of a verb."""
    config, opened = load_config(overrides)[0], Counter[str]()
    folder = RunFolder(Path(config.run.results) / str(config.run.name))
    inside = f"{folder.root}/"

    def watch(event: str, given: tuple[Any, ...]) -> None:
        if event == "open" and (path := str(given[0])).startswith(inside):
            opened[path[len(inside) :].split("/")[0]] += 1

    sys.addaudithook(watch)
    began = time.perf_counter()
    carry_out(verb, folder, overrides)
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print("\n" + json.dumps({"seconds": seconds, "peak_mb": peak, "opened": opened}))


def tell_bytes(small: RunFolder) -> None:
    """Bytes a trial by place, and bytes a message of the logs: the same however long a log is."""
    trials = len(small.records())
    sizes: Counter[str] = Counter()
    for path in small.root.rglob("*"):
        if path.is_file():
            sizes[path.relative_to(small.root).parts[0]] += path.stat().st_size
    told = ", ".join(f"{place} {sizes[place] / trials:,.0f}" for place in PLACES)
    print(f"bytes a trial, of {trials} with {len(ARMS)} to a prefix: {told}")
    each = []
    for log in small.root.glob("*/*/events.jsonl"):
        text = log.read_text(encoding="utf-8")
        messages = sum(json.loads(line)["type"] == "message" for line in text.splitlines())
        each.append((messages, len(text.encode("utf-8"))))
    slope, start = statistics.linear_regression(*zip(*each, strict=True))
    fit = statistics.correlation(*zip(*each, strict=True)) ** 2
    shortest, longest = min(each)[0], max(each)[0]
    line = f"{start:,.0f} + {slope:,.0f} a message (R2 {fit:.2f})"
    print(f"bytes of a log of {shortest} to {longest} messages: {line}")


def main() -> int:
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given.add_argument("--trials", type=int, default=10_000, help="at least so many")
    given.add_argument("--verbs", nargs="+", default=VERBS, choices=VERBS)
    given.add_argument("--probe", choices=VERBS, help=argparse.SUPPRESS)
    given.add_argument("overrides", nargs="*", help=argparse.SUPPRESS)
    args = given.parse_args()
    if args.probe:
        probe(args.probe, args.overrides)
        return 0
    with tempfile.TemporaryDirectory(prefix="seambench-storage-") as results:
        return measure(Path(results), args.trials, args.verbs)


def measure(results: Path, trials: int, verbs: Sequence[str]) -> int:
    first = arguments(results, "small", 1)
    command = [sys.executable, "-m", "harness", "run", "executor=processes", *first]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    small = RunFolder(results / "small")
    tell_bytes(small)
    repeats = -(-trials // (TASKS * len(ARMS)))
    overrides = arguments(results, "large", repeats)
    folder = multiply(small, overrides)
    print(f"{len(folder.heads())} trials; files opened in the run folder, by place:")
    print(f"{'verb':8} {'seconds':>8} {'peak MB':>8}  " + "  ".join(f"{p:>13}" for p in PLACES))
    failed = 0
    for verb in verbs:
        command = [sys.executable, __file__, "--probe", verb, "--", *overrides]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
        if done.returncode:
            failed = 1
            print(f"{verb:8} failed: {(done.stderr.strip().splitlines() or ['?'])[-1]}")
            continue
        found = json.loads(done.stdout.splitlines()[-1])
        counts = "  ".join(f"{found['opened'].get(place, 0):13,}" for place in PLACES)
        print(f"{verb:8} {found['seconds']:8.1f} {found['peak_mb']:8.0f}  {counts}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
