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
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.agent import Agent
from harness.command import ENV, SYSTEM_PATH
from harness.gateway.server import Gateway
from harness.model import Model, ModelSpec
from harness.sandbox import find_sandbox
from harness.store import Blobs, RunFolder
from harness.tasks import load_task
from harness.tools import parse_calls
from harness.transcript import Transcript, read_events
from harness.types import Record
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


@dataclass(frozen=True)
class Bench:
    """The main job over four fixtures, one of each family: what it took, and what it must take.

    cpu_s: CPU seconds of prefixes and trials, report aside; floor_s: those that the agent's
    commands take by themselves, in a plain shell.
    """

    seconds: float
    peak_mb: float
    prefixes: int
    cpu_s: float
    floor_s: float


def bench(results: Path) -> Bench:
    """Run it once, its report once more, and its commands by themselves."""
    command = [sys.executable, "-m", "harness", "run", f"run.results={results}", "run.name=r"]
    began = time.perf_counter()
    whole_s = cpu_s([*command, "family=quick"])
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    report_s = cpu_s([sys.executable, "-m", "harness", "report", str(results / "r")])
    run = RunFolder(results / "r")
    prefixes = list((run.root / "prefixes").iterdir())
    floor = sum(floor_s(run, prefix) for prefix in prefixes)
    return Bench(seconds, peak, len(prefixes), whole_s - report_s, floor)


def cpu_s(command: Sequence[str], **given: Any) -> float:
    """CPU seconds of a whole process and all that it started."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, capture_output=True, **{"check": True, "cwd": ROOT, **given})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def floor_s(run: RunFolder, prefix: Path) -> float:
    """CPU seconds of the commands of a prefix and its trials: each timed once, at the seam."""
    logs = [prefix, *(run.trial(r["trial_id"]) for r in run.records() if is_of(r, prefix))]
    counts = Counter(c for log in logs for c in commands(log / "events.jsonl"))
    env = {**ENV, "PATH": f"{Path(sys.executable).parent}:{SYSTEM_PATH}"}
    with tempfile.TemporaryDirectory() as folder:
        tar = (prefix / "workspace.tar.gz").read_bytes()
        root = Workspace.restore(tar, Path(folder) / "work").root
        plain = {"check": False, "cwd": root, "env": env}
        return sum(n * cpu_s(["bash", "-c", text], **plain) for text, n in counts.items())


def is_of(record: Record, prefix: Path) -> bool:
    return record["prefix_hash"] == prefix.name


def commands(log: Path) -> Iterator[str]:
    """Commands that the agent ran, from the calls in a log."""
    for event in read_events(log):
        if event["type"] == "message":
            calls = parse_calls(event["message"])
            yield from (c.args["command"] for c in calls if c.name == "run" and not c.error)


def main() -> None:
    gaps = asyncio.run(turn_gap_ms())
    helps = wall_s([sys.executable, "-m", "harness", "--help"], 7)
    with tempfile.TemporaryDirectory() as results:
        job = bench(Path(results))
    rows = {
        "turn gap, ms (median)": (statistics.median(gaps), 3.0),
        "turn gap, ms (90th percentile)": (sorted(gaps)[int(len(gaps) * 0.9)], None),
        "seambench --help, s (median)": (statistics.median(helps), 0.5),
        "bench of four fixtures, s": (job.seconds, 60.0),
        "bench of four fixtures, peak MB": (job.peak_mb, 500.0),
        "CPU s of a prefix and its forks": (job.cpu_s / job.prefixes, None),
        "the same, its commands alone": (job.floor_s / job.prefixes, None),
        "ratio to the commands alone": (job.cpu_s / job.floor_s, 2.0),
    }
    print(f"{'figure':34} {'measured':>9} {'aim':>7}")
    for name, (value, aim) in rows.items():
        print(f"{name:34} {value:9.2f} {'' if aim is None else f'< {aim:g}':>7}")
    out = ROOT / "results" / "benchmark.json"
    figures = {name: value for name, (value, _) in rows.items()}
    out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
