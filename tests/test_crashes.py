"""What breaks beside the agent ends its trial with status error; all others go on."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from runs import ROOT, environ, records_only, seambench

from harness.build import chosen_tasks, environment
from harness.cell import Arm, Cell
from harness.config import load_config
from harness.errors import StrategyError, WorkspaceError
from harness.guard import guarded
from harness.runner import plan_cells, run_cells
from harness.strategies.bare import Bare
from harness.verbs.runs import open_run, results_folder

TASK = "rename/tally_ledger"
OWN = '''
import os
from pathlib import Path

from harness.strategies.bare import Bare
from harness.types import Compaction, Recovery


class Crash(Bare):
    def __init__(self, where="compact"):
        super().__init__()
        self.where = where
        self.fails("made")

    def fails(self, where):
        if self.where == where:
            raise ZeroDivisionError("a mistake in " + where)

    async def compact(self, history, ctx):
        self.fails("compact")
        found = await super().compact(history, ctx)
        odd = {
            "nothing": None,
            "no view": Compaction(view=None),
            "no role": Compaction(view=[{"content": "x"}]),
            "no json": Compaction(view=[{"role": "user", "content": {"x"}}]),
        }
        return odd.get(self.where, found)

    async def recover(self, view, turns, ctx):
        self.fails("recover")
        return "go on" if self.where == "no recovery" else None

    def refuse(self, call, ctx):
        self.fails("refuse")

    async def before_turn(self, view, ctx):
        self.fails("before_turn")
        return "a text" if self.where == "no list" else view

    async def after_turn(self, turn, ctx):
        self.fails("after_turn")


class Early(Crash):
    prefix = "own"

    def start(self):
        self.fails("start")


class Fills(Bare):
    """Leaves no room on the disk with the workspaces."""

    async def compact(self, history, ctx):
        found = await super().compact(history, ctx)
        ctx.folder.mkdir()
        with open(ctx.folder / "filler", "wb", buffering=0) as file:
            try:
                while file.write(bytes(4096)):
                    pass
            except OSError:
                return found

'''
PLACES = ("made", "compact", "recover", "refuse", "before_turn", "after_turn")
ODD = ("nothing", "no view", "no role", "no json", "no recovery", "no list")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.py"
    path.write_text(OWN, encoding="utf-8")
    return path


async def run_arms(results: Path, arms: list[Arm], *more: str) -> dict[str, dict[str, Any]]:
    """Records by arm of one task, whose seam all arms share that can."""
    overrides = [f"tasks.only=[{TASK}]", f"run.results={results}", "run.name=r"]
    config, text = load_config([*overrides, *more])
    tasks = chosen_tasks(config, print)
    folder = results_folder(config)
    open_run(folder, config, text, tasks)
    planned: Cell = plan_cells(config, tasks)[0]
    cells = [replace(planned, arms=[a for a in arms if not a.own_prefix])]
    cells += [replace(planned, arms=[a], prefix_kind="own") for a in arms if a.own_prefix]
    async with environment(config, tasks, folder, lambda kind, told: None) as env:
        await run_cells(env, cells)
    return {record["arm"]: dict(record) for record in folder.records()}


@pytest.mark.slow
async def test_a_strategy_that_crashes_ends_its_own_trial_alone(own: Path, tmp_path: Path) -> None:
    crashing = [Arm("own", {"where": where}, f"{own}:Crash") for where in (*PLACES, *ODD)]
    crashing.append(Arm("own", {"where": "start"}, f"{own}:Early"))
    found = await run_arms(tmp_path, [*crashing, Arm("bare", {})])
    assert found.pop("bare")["status"] == "scored"
    assert len(found) == len(crashing)
    for arm in crashing:
        record = found[arm.label]
        assert (record["status"], record["reason"]) == ("error", "strategy:crashed"), arm
        if arm.options["where"] not in ODD:
            told = record["attempts"][-1]["text"]
            assert "ZeroDivisionError: a mistake in" in told and str(own) in told


@pytest.mark.slow
def test_a_run_with_a_crashing_strategy_goes_on_and_owes_it(own: Path, tmp_path: Path) -> None:
    done = records_only(
        *("run", f"tasks.only=[{TASK}]", "study.controls=[]", "executor=processes"),
        *("run.name=r", f"run.results={tmp_path}"),
        *("strategy=own", f"strategy.import_path={own}:Crash"),
    )
    assert done.returncode == 1 and "Traceback" not in done.stderr, done.stderr
    assert "1 of 2 trials are owed" in done.stdout
    assert "ZeroDivisionError" in done.stderr and str(own) in done.stderr
    lines = (tmp_path / "r" / "records.jsonl").read_text(encoding="utf-8").splitlines()
    found = {row["status"]: row for row in map(json.loads, lines)}
    assert found["scored"]["strategy"] == "bare"
    assert found["error"]["reason"] == "strategy:crashed"


@pytest.mark.parametrize(
    "verb", [["run"], ["estimate"], ["gateway", "--port", "0", "gateway.window=64000"]]
)
def test_a_strategy_that_cannot_be_made_is_told_in_one_line(own: Path, verb: list[str]) -> None:
    given = ["strategy=own", f"strategy.import_path={own}:Crash", "+strategy.options.where=made"]
    done = seambench(*verb, *given)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    for part in ("ZeroDivisionError: a mistake in made", f"{own}, line 1"):
        assert part in done.stderr


@pytest.mark.slow
def test_a_full_disk_under_the_workspaces_is_not_the_agents_fault(
    own: Path, tmp_path: Path
) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mount = ["bwrap", "--bind", "/", "/", "--dev-bind", "/dev", "/dev", "--setenv", "TMPDIR"]
    mount += [str(small), "--size", "2000000", "--tmpfs", str(small)]
    if not shutil.which("bwrap") or subprocess.run([*mount, "true"]).returncode != 0:
        pytest.skip("a small disk needs bubblewrap")
    script = f"""
import asyncio, json, pathlib, test_crashes
arm = test_crashes.Arm("own", {{}}, {f"{own}:Fills"!r})
plain = "run.sandbox=plain"  # no bubblewrap within bubblewrap
found = asyncio.run(test_crashes.run_arms(pathlib.Path({str(tmp_path)!r}), [arm], plain))
print(json.dumps(found["own"]))
"""
    command = [*mount, sys.executable, "-c", script]
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    given = environ(PYTHONPATH=path)
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=given)
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert (record["status"], record["reason"]) == ("error", "workspace:no_space")
    assert "No space left on device" in record["attempts"][-1]["text"]


def test_a_full_disk_met_by_a_strategy_is_not_its_fault() -> None:
    with pytest.raises(WorkspaceError) as caught, guarded(Bare()):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert caught.value.kind == "no_space"


def test_what_is_raised_on_purpose_passes_a_guard_unchanged() -> None:
    meant = StrategyError("the store is locked", kind="locked")
    with pytest.raises(StrategyError) as caught, guarded(Bare()):
        raise meant
    assert caught.value is meant
