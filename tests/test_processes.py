"""Several processes on one run: together they keep to its concurrency and to its caps."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from runs import RECORDS_ONLY, ROOT, environ

from harness.gateway.server import Gateway
from harness.store import RunFolder
from harness.tasks import load_task

TASK = "rename/tally_ledger"
pytestmark = pytest.mark.slow


class Endpoint:
    """Does the first step of the task, then reads; counts the calls that are in the air."""

    def __init__(self) -> None:
        edits = load_task(ROOT / "tasks" / TASK).task.subgoals[0].edits
        self.first = [edit.call() for edit in edits]
        self.flying = self.most = 0

    async def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        self.flying += 1
        self.most = max(self.most, self.flying)
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


async def run(gateway: Gateway, results: Path, *more: str) -> tuple[int, str]:
    """Exit code and errors of a run by two processes, of twelve prefixes with one arm each."""
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
    process = await asyncio.create_subprocess_exec(
        *RECORDS_ONLY, "run", *given, cwd=ROOT, env=environ(), stdout=-3, stderr=-1
    )
    _, told = await process.communicate()
    return process.returncode or 0, told.decode("utf-8")


@pytest.mark.parametrize("concurrency", [1, 5, 12])
async def test_as_many_trials_at_once_as_asked_for(tmp_path: Path, concurrency: int) -> None:
    endpoint = Endpoint()
    async with Gateway(endpoint) as gateway:
        code, told = await run(gateway, tmp_path, f"run.concurrency={concurrency}")
    assert code == 0, told
    assert endpoint.most == concurrency
    records = RunFolder(tmp_path / "r").records()
    assert [str(r["status"]) for r in records] == ["scored"] * 12


async def test_a_cap_counts_what_all_processes_spent(tmp_path: Path) -> None:
    async with Gateway(Endpoint()) as gateway:
        code, told = await run(gateway, tmp_path, "run.concurrency=2", "run.max_tokens=1")
        assert code == 1 and "run.max_tokens is reached" in told
        assert 1 <= len(RunFolder(tmp_path / "r").records()) <= 2
        code, told = await run(gateway, tmp_path, "run.concurrency=2")
    assert code == 0, told
    assert len(RunFolder(tmp_path / "r").records()) == 12
