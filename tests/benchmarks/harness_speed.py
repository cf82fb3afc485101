"""Speed and memory of the harness itself: `make benchmark`. Prints a table and writes JSON."""

from __future__ import annotations

import asyncio
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from harness.agent import Agent
from harness.gateway.server import Gateway
from harness.model import Model, ModelSpec
from harness.sandbox import find_sandbox
from harness.store import Blobs
from harness.tasks import load_task
from harness.transcript import Transcript
from harness.user import ScriptedUser
from harness.workspace import Workspace

ROOT = Path(__file__).resolve().parents[2]
TURNS = 50
TASK = "rename/tally_ledger"


class Scripted:
    """Answers every request with one read and notes when requests come and replies go."""

    def __init__(self) -> None:
        self.came: list[float] = []
        self.went: list[float] = []

    async def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        self.came.append(time.perf_counter())
        number = len(self.came)
        call = {"name": "read_file", "arguments": '{"path": "README.md"}'}
        message = {
            "role": "assistant",
            "content": f"Turn {number}.",
            "tool_calls": [{"id": f"c{number}", "type": "function", "function": call}],
        }
        self.went.append(time.perf_counter())
        return {
            "id": "x",
            "object": "chat.completion",
            "created": 0,
            "model": "scripted",
            "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }


async def turn_gap_ms() -> list[float]:
    """Milliseconds from a response's end to the next request, over a growing history."""
    backend, loaded = Scripted(), load_task(ROOT / "tasks" / TASK)
    with tempfile.TemporaryDirectory() as folder:
        async with Gateway(backend) as gateway:
            model = Model(ModelSpec(name="scripted", base_url=gateway.base_url))
            with (Path(folder) / "events.jsonl").open("w", encoding="utf-8") as file:
                transcript = Transcript(file)
                transcript.add({"role": "user", "content": "Read."}, 1, "request")
                agent = Agent(
                    model=model,
                    model_name="scripted",
                    workspace=Workspace.create(loaded.files, Path(folder) / "work"),
                    sandbox=find_sandbox(),
                    blobs=Blobs(Path(folder) / "blobs"),
                    transcript=transcript,
                    user=ScriptedUser(loaded.task, transcript.write),
                )
                for _ in range(TURNS):
                    await agent.take_turn()
            await model.close()
    pairs = zip(backend.went[10:], backend.came[11:], strict=False)
    return [(came - went) * 1000 for went, came in pairs]


def wall_s(command: list[str], runs: int) -> list[float]:
    """Seconds of whole processes."""
    seconds = []
    for _ in range(runs):
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
        seconds.append(time.perf_counter() - began)
    return seconds


def bench(results: str) -> tuple[float, float]:
    """Seconds and peak MB of the main job over four fixtures, one of each family."""
    only = "rename/tally_ledger,migrate/cachetools_clock,bugfix/shift_scheduler,feature/calc_units"
    command = [sys.executable, "-m", "harness", "run", f"run.results={results}"]
    seconds = wall_s([*command, f"tasks.only=[{only}]"], 1)[0]
    return seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def main() -> None:
    gaps = asyncio.run(turn_gap_ms())
    helps = wall_s([sys.executable, "-m", "harness", "--help"], 7)
    with tempfile.TemporaryDirectory() as results:
        seconds, peak = bench(results)
    rows = {
        "turn gap, ms (median)": (statistics.median(gaps), 3.0),
        "turn gap, ms (90th percentile)": (sorted(gaps)[int(len(gaps) * 0.9)], None),
        "seambench --help, s (median)": (statistics.median(helps), 0.5),
        "bench of four fixtures, s": (seconds, 60.0),
        "bench of four fixtures, peak MB": (peak, 500.0),
    }
    print(f"{'figure':34} {'measured':>9} {'aim':>7}")
    for name, (value, aim) in rows.items():
        print(f"{name:34} {value:9.2f} {'' if aim is None else f'< {aim:g}':>7}")
    out = ROOT / "results" / "benchmark.json"
    figures = {name: value for name, (value, _) in rows.items()}
    out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
