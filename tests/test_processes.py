"""Several processes on one run: what they share, and what becomes of it when one is gone."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from runs import RECORDS_ONLY, ROOT, environ

from harness.build import chosen_tasks
from harness.cell import Cell
from harness.config import load_config
from harness.errors import UserError
from harness.gateway.server import Gateway
from harness.gateway.wire import GatewayError
from harness.runner import check_plan, plan_cells, run_plan
from harness.scratch import PREFIX
from harness.store import RunFolder
from harness.tape import Replay, Tape
from harness.tasks import load_task

TASK = "rename/tally_ledger"
BAD_CAPS = ["run.max_hours=-1", "run.max_hours=0", "run.max_tokens=many", "run.max_usd=free"]
pytestmark = pytest.mark.slow


class Endpoint:
    """Does the first step of the task, then reads; counts the calls that are in the air.

    wanted: so many must be in the air together before the first of them is answered.
    """

    def __init__(self, wanted: int = 1) -> None:
        self.wanted, self.together = wanted, asyncio.Event()
        edits = load_task(ROOT / "tasks" / TASK).task.subgoals[0].edits
        self.first = [edit.call() for edit in edits]
        self.flying = self.most = 0

    async def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        self.flying += 1
        self.most = max(self.most, self.flying)
        if self.flying >= self.wanted:
            self.together.set()
        await asyncio.wait_for(self.together.wait(), 60)
        await asyncio.sleep(0.03)
        self.flying -= 1
        message: dict[str, Any] = {"role": "assistant", "content": f"{request['model']} goes on."}
        if request.get("tools"):
            begun = any(m["role"] == "assistant" for m in request["messages"])
            made = [("read_file", {"path": "README.md"})]
            if not begun:
                made = [(call.tool, dict(call.args)) for call in self.first]
            message["tool_calls"] = [
                {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": args}}
                for n, (name, args) in enumerate((name, json.dumps(a)) for name, a in made)
            ]
        return {
            "id": "x",
            "object": "chat.completion",
            "created": 0,
            "model": "slow",
            "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
            "usage": {"prompt_tokens": 1000, "completion_tokens": 1, "total_tokens": 1001},
        }


async def start(
    gateway: Gateway, results: Path, *more: str, **env: str
) -> asyncio.subprocess.Process:
    """A run by two processes, of twelve prefixes with one arm each."""
    given = [
        "strategy=bare",
        "model=endpoint",
        f"model.base_url={gateway.base_url}",
        "model.name='draw:{handle}'",
        "study.controls=[]",
        "study.beside=[]",
        "seam=turn",
        "seam.at=[6]",
        "seam.repeats=12",
        f"tasks.only=[{TASK}]",
        f"run.results={results}",
        "run.name=r",
        "executor=processes",
        "executor.workers=2",
        *more,
    ]
    return await asyncio.create_subprocess_exec(
        *RECORDS_ONLY, "run", *given, cwd=ROOT, env=environ(**env), stdout=-3, stderr=-1
    )


async def ended(process: asyncio.subprocess.Process) -> tuple[int, str]:
    """Exit code and errors."""
    _, told = await process.communicate()
    return process.returncode or 0, told.decode("utf-8")


async def run(gateway: Gateway, results: Path, *more: str) -> tuple[int, str]:
    """The same, to its end."""
    return await ended(await start(gateway, results, *more))


def statuses(results: Path) -> Counter[str]:
    return Counter(str(record["status"]) for record in RunFolder(results / "r").records())


async def first_record(process: asyncio.subprocess.Process, results: Path) -> None:
    """Until a trial has ended, while others are under way."""
    while not RunFolder(results / "r").records():
        assert process.returncode is None, await ended(process)
        await asyncio.sleep(0.01)


def children(pid: int) -> list[int]:
    return [
        int(child)
        for listed in Path(f"/proc/{pid}/task").glob("*/children")
        for child in listed.read_text(encoding="ascii").split()
    ]


@pytest.mark.parametrize("concurrency", [1, 5, 12])
async def test_as_many_trials_at_once_as_asked_for(tmp_path: Path, concurrency: int) -> None:
    endpoint = Endpoint(wanted=concurrency)
    async with Gateway(endpoint) as gateway:
        code, told = await run(gateway, tmp_path, f"run.concurrency={concurrency}")
    assert code == 0, told
    assert endpoint.most == concurrency
    assert statuses(tmp_path) == {"scored": 12}


async def test_a_cap_counts_what_all_processes_spent(tmp_path: Path) -> None:
    async with Gateway(Endpoint()) as gateway:
        code, told = await run(gateway, tmp_path, "run.concurrency=2", "run.max_tokens=1")
        assert code == 1 and "run.max_tokens is reached" in told
        assert 1 <= len(RunFolder(tmp_path / "r").records()) <= 2
        code, told = await run(gateway, tmp_path, "run.concurrency=2")
    assert code == 0, told
    assert len(RunFolder(tmp_path / "r").records()) == 12


async def test_equal_prefixes_that_end_together_are_one_observation(tmp_path: Path) -> None:
    more = ["model.name=draw", "seam.repeats=6", "run.concurrency=6"]
    async with Gateway(Endpoint()) as gateway:
        code, told = await run(gateway, tmp_path, *more)
    assert code == 0, told
    assert statuses(tmp_path) == {"scored": 1, "invalid": 5}


async def test_a_killed_process_is_one_line_and_costs_only_what_it_was_at(tmp_path: Path) -> None:
    async with Gateway(Endpoint()) as gateway:
        process = await start(gateway, tmp_path, "run.concurrency=4")
        await first_record(process, tmp_path)
        workers = [w for child in children(process.pid) for w in children(child)]
        assert len(workers) == 2
        os.kill(workers[0], signal.SIGKILL)
        code, told = await ended(process)
        kept = RunFolder(tmp_path / "r").records()
        assert code == 1 and "Traceback" not in told, told
        assert "a process of the run was killed" in told.splitlines()[-1]
        code, told = await run(gateway, tmp_path, "run.concurrency=4")
    assert code == 0, told
    assert statuses(tmp_path) == {"scored": 12}
    now = RunFolder(tmp_path / "r").records()
    assert kept and all(record in now for record in kept)


async def test_a_folder_removed_in_mid_run_is_not_a_finished_run(tmp_path: Path) -> None:
    async with Gateway(Endpoint()) as gateway:
        process = await start(gateway, tmp_path, "run.concurrency=2")
        await first_record(process, tmp_path)
        (tmp_path / "r").rename(tmp_path / "removed")
        (tmp_path / "r").mkdir()  # as the next file of the run would make it
        code, told = await ended(process)
        assert code == 2 and f"{tmp_path / 'r'}" in told.splitlines()[-1], told
        assert "Traceback" not in told
        code, told = await run(gateway, tmp_path, "run.concurrency=2")
    assert code == 0, told
    assert statuses(tmp_path) == {"scored": 12}


async def test_temporary_files_removed_in_mid_run_are_named(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="sb-") as temporary:  # short: sockets lie below it
        async with Gateway(Endpoint()) as gateway:
            process = await start(gateway, tmp_path, "run.concurrency=2", TMPDIR=temporary)
            await first_record(process, tmp_path)
            (shared,) = Path(temporary).glob(f"{PREFIX}*/taken")
            shutil.rmtree(shared.parent)
            code, told = await ended(process)
            assert code == 2 and f"({shared})" in told.splitlines()[-1], told
            code, told = await run(gateway, tmp_path, "run.concurrency=2")
    assert code == 0, told
    assert statuses(tmp_path) == {"scored": 12}


async def test_waiting_for_the_endpoint_is_told(tmp_path: Path) -> None:
    class Busy(Endpoint):
        async def complete(self, request: dict[str, Any]) -> dict[str, Any]:
            if not self.most:
                self.most = 1
                raise GatewayError(429, "rate_limit", "slow down")
            return await super().complete(request)

    async with Gateway(Busy()) as gateway:
        code, told = await run(gateway, tmp_path, "seam.repeats=2")
    assert code == 0, told
    assert f"{TASK}: waiting" in told and "(rate_limit)" in told


@pytest.mark.parametrize(
    "given", [*(f"executor.workers={n}" for n in (0, -1, "two", 1.5)), *BAD_CAPS]
)
def test_a_number_that_cannot_be_is_one_line(given: str) -> None:
    with pytest.raises(UserError, match=f"^{given.partition('=')[0]}: expected a number"):
        check_plan(load_config(["executor=processes", given])[0])


def test_half_a_line_of_a_killed_process_does_not_spoil_a_tape(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    living = Tape(path, {"name": "m"})
    with path.open("ab") as file:  # the other one, killed while it wrote
        file.write(b'{"call": {"scope": "a", "key"')
    living.record("b", {"model": "m"}, {"reply": 1})
    assert Replay(path).answer("b", {"model": "m"}) == {"reply": 1}


def test_reserves_wait_for_what_was_planned_and_are_noted_once(tmp_path: Path) -> None:
    given = [f"tasks.only=[{TASK}]", "strategy=bare", "study.beside=[]", "study.controls=[]"]
    config, _ = load_config([*given, "seam.repeats=2", "study.valid=9", "study.reserves=1"])
    cells, run = plan_cells(config, chosen_tasks(config, print)), RunFolder(tmp_path)
    rooms = iter([1, 9, 9, 9, 9])

    def carry(owed: Sequence[Cell]) -> None:
        """As many as there is room for under a cap; prefixes that cannot be used, all of them."""
        for cell in [*owed][: next(rooms)]:
            row = {"schema_version": 1, "trial_id": cell.trial_id(cell.arms[0])}
            run.append({**row, "status": "invalid", "reason": "no_progress", "strategy": "bare"})

    deviations = tmp_path / "deviations.jsonl"
    run_plan(config, cells, run, carry)
    assert len(run.heads()) == 1 and not deviations.exists()
    for _ in range(2):
        run_plan(config, cells, run, carry)
        assert len(run.heads()) == 4
        assert deviations.read_text(encoding="utf-8").count("2 reserve cells") == 1
