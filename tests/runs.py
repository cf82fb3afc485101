"""A run within the test's own event loop, up to its records: no report, no process."""

from __future__ import annotations

from typing import Any

from harness.build import chosen_tasks, environment
from harness.config import load_config
from harness.runner import check_plan, plan_cells, run_cells
from harness.store import RunFolder
from harness.verbs.runs import open_run, results_folder

TIMES = ("seconds", "started_at", "run_id")


async def run_here(*overrides: str) -> tuple[RunFolder, list[str]]:
    """The folder of a finished run, and what it told meanwhile."""
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
