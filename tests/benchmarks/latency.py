"""How much of a slow model's time is used: 64 trials at once, a server that answers after 1 s.

    python tests/benchmarks/latency.py --trials 64 --latency 1

Every trial has a prefix of its own, runs through the runner to its record, and makes the same
number of calls, so that the ideal schedule, calls x latency / concurrency, can be reached at all.
The server is a process of its own. Exit code 1 below the aim, or where a trial is not scored.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from harness.build import chosen_tasks, environment
from harness.config import load_config
from harness.gateway.server import Gateway
from harness.runner import plan_cells, planned_trials, run_cells
from harness.store import RunFolder
from harness.tasks import load_task
from harness.types import Record
from harness.verbs.runs import open_run

ROOT = Path(__file__).resolve().parents[2]
TASK = "rename/tally_ledger"
PREFIX_TURNS = 6
AIM = 0.95


class Slow:
    """Does the first step of the task, then reads; what it says differs from draw to draw."""

    def __init__(self, latency_s: float) -> None:
        self.latency_s = latency_s
        steps = load_task(ROOT / "tasks" / TASK).task.subgoals[0].edits
        self.first = [edit.call() for edit in steps]

    async def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        await asyncio.sleep(self.latency_s)
        message: dict[str, Any] = {"role": "assistant", "content": f"{request['model']} goes on."}
        if request.get("tools"):
            worked = sum(m["role"] == "assistant" for m in request["messages"])
            message["tool_calls"] = self._calls(worked)
        return {
            "id": "x",
            "object": "chat.completion",
            "created": 0,
            "model": request["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }

    def _calls(self, worked: int) -> list[dict[str, Any]]:
        made = [("read_file", {"path": "README.md"})]
        if worked == 0:
            made = [(call.tool, dict(call.args)) for call in self.first]
        return [
            {
                "id": f"c{worked}_{number}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)},
            }
            for number, (name, arguments) in enumerate(made)
        ]


async def serve(latency_s: float) -> None:
    """Answer until the end of standard input."""
    async with Gateway(Slow(latency_s)) as gateway:
        print(gateway.base_url, flush=True)
        await asyncio.to_thread(sys.stdin.read)


async def measure(base_url: str, trials: int, results: Path) -> tuple[float, list[Record]]:
    """Seconds of a run with all of its trials at once, and its records."""
    config, text = load_config(
        [
            "strategy=bare",
            "model=endpoint",
            f"model.base_url={base_url}",
            "model.name='draw:{handle}'",
            "study.controls=[]",
            "study.beside=[]",
            "seam=turn",
            f"seam.at=[{PREFIX_TURNS}]",
            f"seam.repeats={trials}",
            f"tasks.only=[{TASK}]",
            f"run.concurrency={trials}",
            f"run.results={results}",
            "run.name=r",
        ]
    )
    tasks = chosen_tasks(config, print)
    cells = plan_cells(config, tasks)
    folder = RunFolder(results / "r")
    open_run(folder, config, text, tasks)
    folder.write_plan(planned_trials(cells))
    async with environment(config, tasks, folder, lambda kind, text: None) as env:
        began = time.perf_counter()
        await run_cells(env, cells)
        seconds = time.perf_counter() - began
    return seconds, folder.records()


def calls(folder: Path) -> list[int]:
    """Model calls of every trial: its prefix's turns, a summary, its own turns."""
    counted = []
    for log in (folder / "r" / "trials").glob("*/events.jsonl"):
        lines = log.read_text(encoding="utf-8").splitlines()
        turns = sum(json.loads(line)["type"] == "turn" for line in lines)
        counted.append(PREFIX_TURNS + 1 + turns)
    return counted


def cpu_s() -> float:
    """CPU seconds of this process and of those that it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


async def measure_with_server(trials: int, latency_s: float) -> int:
    command = [sys.executable, __file__, "--serve", "--latency", str(latency_s)]
    pipe = asyncio.subprocess.PIPE
    server = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe)
    assert server.stdin and server.stdout
    base_url = (await server.stdout.readline()).decode("utf-8").strip()
    with tempfile.TemporaryDirectory(prefix="seambench-latency-") as results:
        before = cpu_s()
        seconds, records = await measure(base_url, trials, Path(results))
        own = cpu_s() - before
        made = calls(Path(results))
    server.stdin.close()
    await server.wait()
    ideal = sum(made) * latency_s / trials
    statuses = Counter(str(record["status"]) for record in records)
    each = "-".join(str(n) for n in sorted({min(made), max(made)}))
    print(f"{trials} trials at once, {each} calls each, answered after {latency_s:g} s:", end=" ")
    print(", ".join(f"{n} {status}" for status, n in statuses.items()))
    share = ideal / seconds
    print(f"ideal {ideal:.1f} s, taken {seconds:.1f} s: {share:.1%} of the ideal, aim {AIM:.0%}")
    print(f"CPU of the harness and its commands: {own:.1f} s, on {os.cpu_count()} cores")
    return int(share < AIM or statuses["scored"] != trials)


def main() -> int:
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given.add_argument("--trials", type=int, default=64)
    given.add_argument("--latency", type=float, default=1.0, help="seconds until an answer")
    given.add_argument("--serve", action="store_true", help="be the server")
    args = given.parse_args()
    if args.serve:
        asyncio.run(serve(args.latency))
        return 0
    return asyncio.run(measure_with_server(args.trials, args.latency))


if __name__ == "__main__":
    sys.exit(main())
