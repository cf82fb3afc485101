"""Runs for tests: in a process of their own, or within the test's own event loop."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from harness.build import chosen_tasks, environment
from harness.config import load_config
from harness.runner import check_plan, plan_cells, run_cells
from harness.store import RunFolder
from harness.verbs.runs import open_run, results_folder

ROOT = Path(__file__).resolve().parents[1]
TIMES = ("seconds", "started_at", "run_id")
PROGRAM = (sys.executable, "-m", "harness")
RECORDS_ONLY = (sys.executable, str(Path(__file__).with_name("records_only.py")))


def environ(root: Path = ROOT, **more: str) -> dict[str, str]:
    """Variables with which a process runs the program as it lies in the folder `root`."""
    return {**os.environ, "PYTHONPATH": str(root), **more}


def seambench(
    *arguments: str, cwd: Path = ROOT, program: tuple[str, ...] = PROGRAM, **env: str
) -> subprocess.CompletedProcess[str]:
    """The program, to its end."""
    return subprocess.run(
        [*program, *arguments],
        cwd=cwd,
        env=environ(cwd, **env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
    )


def records_only(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """The program, to its end; a run has no report then."""
    return seambench(*arguments, program=RECORDS_ONLY, **env)


@contextmanager
def no_report() -> Iterator[None]:
    """Runs end with their records. Their report takes longer than they do, in tests at least."""
    with mock.patch("harness.verbs.runs.report_run", autospec=True):
        yield


async def run_here(*overrides: str) -> tuple[RunFolder, list[str]]:
    """The folder of a finished run without a report, and what it told meanwhile."""
    config, text = load_config(overrides)
    check_plan(config)
    tasks = chosen_tasks(config, lambda told: None)
    cells = plan_cells(config, tasks)
    folder = results_folder(config)
    open_run(folder, config, text, tasks)
    folder.write_command(overrides)
    told: list[str] = []
    async with environment(config, tasks, folder, lambda kind, line: told.append(line)) as env:
        await run_cells(env, cells)
    return folder, told


def timeless(folder: RunFolder) -> dict[str, dict[str, Any]]:
    """Records by trial, times and the run's name aside."""
    return {
        record["trial_id"]: {k: v for k, v in record.items() if k not in TIMES}
        for record in folder.records()
    }
