"""The same work by this harness, inspect-ai and mini-swe-agent, side by side: `make peers`.

One server on loopback plays one conversation of 11 turns to all of them, one after the other in
every round: the same words, the same call, the same command over the same files. The server itself
takes the time from the end of an answer to the next request, so that everything between counts: the
call, what is noted, the next view. Prints a Markdown table, writes JSON (--out). Exit code 1 where
this harness itself could not be measured.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import peers_env
from growth import memory_mb
from peers_work import COMMAND, FILE, TURNS, Job

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FILES = ROOT / "tasks" / "rename" / "tally_ledger" / "repo"
SAMPLE_S = 0.25
LIMIT_S = 900


@dataclass(frozen=True)
class Side:
    """One harness. does: what it does beside the work, for the reader."""

    name: str
    script: str
    does: str
    sandbox: str = "auto"
    peer: bool = False
    reads: bool = True


SIDES = (
    Side(
        "seambench, bubblewrap",
        "peers_seambench.py",
        "each command in bubblewrap (namespaces, no network, limits); git workspace; event log "
        "flushed at every event; files hashed and sub-goals tracked after every turn",
    ),
    Side(
        "seambench, plain",
        "peers_seambench.py",
        "the same, commands as plain subprocesses with limits, as those of the others",
        sandbox="plain",
    ),
    Side(
        "inspect-ai, react",
        "peers_inspect.py",
        "subprocess in a temporary folder, no isolation, a login shell; every event in its log, "
        "which its viewer can follow",
        peer=True,
    ),
    Side(
        "mini-swe-agent",
        "peers_mini.py",
        "subprocess, no isolation; history in memory, written to a file at the end; threads",
        peer=True,
        reads=False,
    ),
)


@dataclass(frozen=True)
class Run:
    """One side, once. gaps_ms: between turns, seen by the server. peak_mb: PSS of its processes."""

    gaps_ms: list[float]
    seconds: float
    cpu_s: float
    peak_mb: float


Runs = dict[tuple[str, str, int], list[Run]]
"""Side, work, samples at once -> the runs of all rounds."""


class Failed(Exception):
    """A side could not do the work; the text says why."""


@contextlib.contextmanager
def server() -> Iterator[str]:
    """The scripted model in a process of its own; its address."""
    marker = (FILES / FILE).read_text(encoding="utf-8").splitlines()[2]
    command = [sys.executable, str(HERE / "peers_server.py"), marker]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        assert process.stdout
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def measure(side: Side, job: Job, env: dict[str, str]) -> Run:
    """Let a side do a job. Raises Failed where it could not, or did other work."""
    python = peers_env.PYTHON if side.peer else sys.executable
    log, peak, began = Path(job.scratch) / "log", 0.0, time.monotonic()
    with log.open("w", encoding="utf-8") as file:
        command = [str(python), str(HERE / side.script), json.dumps(asdict(job))]
        process = subprocess.Popen(command, stdout=file, stderr=file, env=env, cwd=job.scratch)
        while process.poll() is None:
            peak = max(peak, memory_mb(process.pid))
            if time.monotonic() - began > LIMIT_S:
                process.kill()
            time.sleep(SAMPLE_S)
    with urllib.request.urlopen(f"{job.url}/noted") as answer:
        noted = json.load(answer)
    if process.returncode:
        lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        raise Failed(f"exit code {process.returncode}: {lines[-1] if lines else ''}")
    measured = json.loads((Path(job.scratch) / "measured.json").read_text(encoding="utf-8"))
    return Run(gaps_ms(noted, job.samples), measured["seconds"], measured["cpu_s"], peak)


def gaps_ms(noted: Sequence[dict[str, Any]], samples: int) -> list[float]:
    """Time between the turns of every sample. Raises Failed where one is not the agreed work."""
    by_key = defaultdict(list)
    for entry in sorted(noted, key=lambda entry: entry["came"]):
        if entry["key"].startswith("sample-"):
            by_key[entry["key"]].append(entry)
    gaps = []
    for key, turns in by_key.items():
        if [turn["turn"] for turn in turns] != list(range(1, TURNS + 1)):
            raise Failed(f"{key}: turns {[turn['turn'] for turn in turns]}, expected 1 to {TURNS}")
        if not all(turn["seen"] for turn in turns):
            raise Failed(f"{key}: a result did not hold what is in {FILE}")
        gaps += [1000 * (after["came"] - before["went"]) for before, after in pairwise(turns)]
    if len(by_key) != samples:
        raise Failed(f"{len(by_key)} samples reached the server, expected {samples}")
    return gaps


def command_ms(times: int = 50) -> float:
    """The command by itself in a plain shell: what no loop can go below."""
    spent = []
    for _ in range(times):
        began = time.perf_counter()
        subprocess.run(["bash", "-c", COMMAND], cwd=FILES, capture_output=True, check=True)
        spent.append(1000 * (time.perf_counter() - began))
    return statistics.median(spent)


def jobs(concurrency: Sequence[int], samples: int) -> list[tuple[str, int, int]]:
    """Work, samples at once, samples: every concurrency has at least two waves."""
    command = [("command", many, max(samples, 2 * many)) for many in concurrency]
    return [*command, ("read", 1, samples)]


def measure_all(
    sides: Sequence[Side], plan: Sequence[tuple[str, int, int]], rounds: int
) -> tuple[Runs, dict[str, str]]:
    """All runs by (side, work, concurrency), and why a side has none. Sides begin in turn."""
    runs: Runs = defaultdict(list)
    reasons: dict[str, str] = {}
    with server() as url, tempfile.TemporaryDirectory(prefix="seambench-peers-") as home:
        env = peers_env.variables(Path(home))
        for number in range(rounds):
            for work, many, samples in plan:
                for side in [*sides[number % len(sides) :], *sides[: number % len(sides)]]:
                    if side.name in reasons or (work == "read" and not side.reads):
                        continue
                    with tempfile.TemporaryDirectory(prefix="seambench-peers-") as scratch:
                        job = Job(url, work, many, samples, str(FILES), scratch, side.sandbox)
                        try:
                            run = measure(side, job, env)
                        except Failed as error:
                            reasons[side.name] = str(error)
                            continue
                    runs[side.name, work, many].append(run)
                    told = f"{samples / run.seconds:.1f} samples/s"
                    print(f"round {number + 1}: {work} x {many}: {side.name}: {told}", flush=True)
    return runs, reasons


def table(
    sides: Sequence[Side], plan: Sequence[tuple[str, int, int]], runs: Runs, command: float
) -> str:
    """One row a side. Gaps over all rounds, the rest the median of the rounds.

    command: milliseconds of the command by itself, which are no doing of the harness.
    """
    commands = [(many, samples) for work, many, samples in plan if work == "command"]
    heads = ["harness", "gap ms, median", "p95", "less the command", "gap ms, a file read"]
    heads += [f"samples/s at {many}" for many, _ in commands]
    heads += ["CPU s a sample", f"peak MB at {commands[-1][0]}"]
    lines = [f"| {' | '.join(heads)} |", "|---" + "|---:" * (len(heads) - 1) + "|"]
    for side in sides:
        found = partial(_of, runs, side.name)
        cells = _cells(commands, found, command)
        told = [f"{number:.{digits}f}" if number else "n/a" for number, digits in cells]
        lines.append(f"| {' | '.join([side.name, *told])} |")
    return "\n".join(lines)


def _of(runs: Runs, side: str, work: str, many: int) -> list[Run]:
    return runs.get((side, work, many), [])


def _cells(
    commands: Sequence[tuple[int, int]], found: Callable[[str, int], list[Run]], command: float
) -> Iterator[tuple[float, int]]:
    """Figures of one side and their digits; 0 where there is none."""
    (low, samples), (high, _) = commands[0], commands[-1]
    alone = found("command", low)
    yield from ((gap(alone), 1), (gap(alone, 0.95), 1))
    yield max(gap(alone) - command, 0.0), 1
    yield gap(found("read", 1)), 1
    for many, count in commands:
        yield median([count / run.seconds for run in found("command", many)]), 1
    yield median([run.cpu_s / samples for run in alone]), 3
    yield max([run.peak_mb for run in found("command", high)], default=0.0), 0


def gap(runs: Sequence[Run], share: float = 0.5) -> float:
    gaps = sorted(one for run in runs for one in run.gaps_ms)
    return gaps[int(share * (len(gaps) - 1))] if gaps else 0.0


def median(values: Sequence[float]) -> float:
    return statistics.median(values) if values else 0.0


def surroundings() -> dict[str, Any]:
    """What the figures depend on."""

    def git(*arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
        return done.stdout.strip()

    return {
        "commit": git("rev-parse", "HEAD"),
        "changed": bool(git("status", "--porcelain", "--untracked-files=no")),
        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "cores": os.cpu_count(),
        "load_before": [round(n, 2) for n in os.getloadavg()],
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def main() -> int:
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given.add_argument("--out", default=str(ROOT / "results" / "peers.json"), help="JSON")
    given.add_argument("--rounds", type=int, default=3)
    given.add_argument("--samples", type=int, default=16, help="at least so many a measurement")
    given.add_argument("--concurrency", default="1,8,64")
    given.add_argument("--only", default="", help="only sides with this in their name")
    args = given.parse_args()
    found = surroundings()
    wanted = [side for side in SIDES if args.only in side.name]
    peers = any(side.peer for side in wanted)
    missing = peers_env.install() if peers else None
    found["versions"] = peers_env.versions() if peers and not missing else {}
    found["command_ms"] = command_ms()
    sides = [side for side in wanted if not (missing and side.peer)]
    plan = jobs([int(n) for n in args.concurrency.split(",")], args.samples)
    runs, reasons = measure_all(sides, plan, args.rounds)
    reasons |= {side.name: missing for side in wanted if missing and side.peer}
    print(f"\n{table(wanted, plan, runs, found['command_ms'])}\n")
    print(f"The command by itself in a shell: {found['command_ms']:.1f} ms. {told(found)}")
    for side in wanted:
        explain(side, reasons.get(side.name))
    found["reasons"] = reasons
    found["runs"] = [
        {"side": side, "work": work, "concurrency": many, **asdict(run)}
        for (side, work, many), several in runs.items()
        for run in several
    ]
    Path(args.out).parent.mkdir(parents=True, exist_ok=True)
    Path(args.out).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return int(any(side.name in reasons for side in wanted if not side.peer))


def explain(side: Side, reason: str | None) -> None:
    """Say what a side does beside the work, and why it has no figures."""
    print(f"- {side.name}: {side.does}.")
    if not side.reads:
        print("  It has no tool that reads a file without a shell: n/a.")
    if reason:
        print(f"  n/a: {reason}")


def told(found: dict[str, Any]) -> str:
    versions = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    commit = found["commit"][:8] + (" with changes" if found["changed"] else "")
    load = f"load {found['load_before'][0]:.1f} at the start"
    machine = f"{found['cores']} cores, {load}, Python {found['python']}"
    return f"{machine}, {versions or 'no peers'}, commit {commit}."


if __name__ == "__main__":
    sys.exit(main())
