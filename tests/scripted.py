"""An agent that follows a script after the seam, driven through the real path: HTTP, tools, store.

Before the seam the reference worker works; after it the script's replies are given, one a turn
(None: the worker's own), and then the worker's again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.build import chosen_tasks, environment, worker_backend
from harness.config import load_config
from harness.gateway import Gateway
from harness.runner import plan_cells, planned_trials, run_cells
from harness.store import RunFolder
from harness.text import CARRIED_OPEN, content_text
from harness.types import Record
from harness.verbs.runs import open_run
from harness.worker.backend import WorkerBackend

Reply = Mapping[str, Any]
"""An assistant message: `content`, and `tool_calls` as (tool, arguments) pairs in `calls`."""


def calls(*pairs: tuple[str, Mapping[str, Any]], say: str = "") -> Reply:
    """A reply that makes these calls."""
    return {"content": say or None, "calls": pairs}


def run(command: str) -> Reply:
    """A reply that runs a shell command."""
    return calls(("run", {"command": command}))


def write(path: str, content: str) -> Reply:
    """A reply that writes a file."""
    return calls(("write_file", {"path": path, "content": content}))


FINISH = calls(("finish", {"message": "All done."}))


@dataclass
class Scripted:
    """Backend of the gateway. in_prefix: the script is played from the beginning instead."""

    worker: WorkerBackend
    script: Sequence[Reply | None]
    in_prefix: bool = False

    async def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        messages = request["messages"]
        answer = await self.worker.complete(request)
        at = self._turn(messages)
        known = request.get("tools") and at is not None and at < len(self.script)
        reply = self.script[at] if known else None
        if reply is None:
            return answer
        message = answer["choices"][0]["message"]
        message["content"] = reply.get("content")
        message["tool_calls"] = reply.get("tool_calls") or [
            {
                "id": f"call_{at}_{number}",
                "type": "function",
                "function": {"name": tool, "arguments": json.dumps(given)},
            }
            for number, (tool, given) in enumerate(reply.get("calls", ()))
        ]
        return answer

    def _turn(self, messages: Sequence[Mapping[str, Any]]) -> int | None:
        """Number of the turn that the script is asked for, None where the worker works."""
        carried = [n for n, m in enumerate(messages) if CARRIED_OPEN.search(content_text(dict(m)))]
        after = [n for n in carried if messages[n]["role"] == "user"]
        if not after and not self.in_prefix:
            return None
        start = 0 if self.in_prefix else after[0]
        return sum(m["role"] == "assistant" for m in messages[start:])


@dataclass(frozen=True)
class Played:
    """What became of a scripted run."""

    records: list[Record]
    folder: RunFolder

    @property
    def record(self) -> Record:
        """The only record. Its trial is the only one of the run."""
        assert len(self.records) == 1, self.records
        return self.records[0]

    def events(self) -> list[dict[str, Any]]:
        """The log of the only trial."""
        text = (self.folder.trial(self.record["trial_id"]) / "events.jsonl").read_text("utf-8")
        return [json.loads(line) for line in text.splitlines()]


async def play(
    results: Path,
    tasks: Path,
    script: Sequence[Reply | None],
    *overrides: str,
    in_prefix: bool = False,
) -> Played:
    """Run the one task below `tasks` with one arm (engram) and a scripted agent."""
    base = ["strategy=engram", "study.controls=[]", "study.beside=[]", "seam=mid"]
    base += ["model=endpoint", "model.name='worker:{handle}'", "model.temperature=null"]
    named = [f"tasks.path=[{tasks}]", f"run.results={results}", "run.name=r", "model.retries=1"]
    keys = {override.split("=")[0] for override in overrides}
    given = [*named, *(b for b in base if b.split("=")[0] not in keys), *overrides]
    config, _ = load_config([*given, "model.base_url=http://127.0.0.1:9/v1"])
    loaded = chosen_tasks(config, print)
    async with Gateway(Scripted(worker_backend(loaded), script, in_prefix)) as gateway:
        config, text = load_config([*given, f"model.base_url={gateway.base_url}"])
        cells = plan_cells(config, loaded)
        folder = RunFolder(results / "r")
        open_run(folder, config, text, loaded)
        folder.write_plan(planned_trials(cells))
        async with environment(config, loaded, folder, lambda kind, text: None) as env:
            await run_cells(env, cells)
    return Played(folder.records(), folder)
