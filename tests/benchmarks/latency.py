"""How much of a slow model's time is used: 64 trials at once, a server that answers after 1 s.

    python tests/benchmarks/latency.py --trials 64 --latency 1

Every trial has a prefix of its own, runs by `seambench run executor=processes` to its record, and
makes the same number of calls, so that the ideal schedule, calls x latency / concurrency, can be
reached at all. The server is a process of its own, and keeps the time. Exit code 1 below the aim,
or where a trial is not scored.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from harness.gateway.server import Gateway
from harness.store import RunFolder
from harness.tasks import load_task

ROOT = Path(__file__).resolve().parents[2]
TASK = "rename/tally_ledger"
PREFIX_TURNS = 6
AIM = 0.95


class Slow:
    """Does the first step of the task, then reads; what it says differs from draw to draw."""

    def __init__(self, latency_s: float) -> None:
        self.latency_s = latency_s
        self.calls, self.began, self.ended = 0, 0.0, 0.0
        steps = load_task(ROOT / "tasks" / TASK).task.subgoals[0].edits
        self.first = [edit.call() for edit in steps]

    async def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        self.calls += 1
        self.began = self.began or time.perf_counter()
        await asyncio.sleep(self.latency_s)
        self.ended = time.perf_counter()
        message: dict[str, Any] = {"role": "assistant", "content": f"{request['model']} goes on."}
        if request.get("tools"):
            worked = sum(m["role"] == "assistant" for m in request["messages"])
            message["tool_calls"] = self._calls(worked)
        return {
            "id": "x",
            "object": "chat.completion",
            "created": 0,
            "model": "slow",
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
    """Answer until the end of standard input; then tell how many calls, and in what time."""
    slow = Slow(latency_s)
    async with Gateway(slow) as gateway:
        print(gateway.base_url, flush=True)
        await asyncio.to_thread(sys.stdin.read)
    print(json.dumps({"calls": slow.calls, "seconds": slow.ended - slow.began}), flush=True)


def run(base_url: str, trials: int, results: Path) -> tuple[float, Counter[str]]:
    """Seconds of `seambench run` with all of its trials at once, and how they ended."""
    given = [
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
        "executor=processes",
    ]
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "harness", "run", *given], check=True, stdout=subprocess.DEVNULL
    )
    seconds = time.perf_counter() - began
    return seconds, Counter(str(record["status"]) for record in RunFolder(results / "r").records())


def measure(trials: int, latency_s: float) -> int:
    server = subprocess.Popen(
        [sys.executable, __file__, "--serve", "--latency", str(latency_s)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert server.stdin and server.stdout
    with tempfile.TemporaryDirectory(prefix="seambench-latency-") as results:
        seconds, statuses = run(server.stdout.readline().strip(), trials, Path(results))
    server.stdin.close()
    served = json.loads(server.stdout.read())
    server.wait()
    ideal = served["calls"] * latency_s / trials
    share = ideal / served["seconds"]
    ended = ", ".join(f"{n} {status}" for status, n in statuses.items())
    print(f"{trials} trials at once, {served['calls']} calls, each answered after {latency_s:g} s")
    print(
        f"from the first call to the last answer {served['seconds']:.1f} s, ideal {ideal:.1f} s: "
        f"{share:.1%} of the ideal, aim {AIM:.0%}; {ended}"
    )
    print(f"the whole command, with its report: {seconds:.1f} s, on {os.cpu_count()} cores")
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
    return measure(args.trials, args.latency)


if __name__ == "__main__":
    sys.exit(main())
