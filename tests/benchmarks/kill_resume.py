"""Runs of two tasks and two arms, killed at random moments and started again.

    python tests/benchmarks/kill_resume.py --kills 200

A run that was started often enough ends; its records must be those of an undisturbed run, times
aside. Then the next one begins, until there were as many kills as asked for. Prints one line of
result; exit code 1 where records differ or a start fails by itself.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RUN = ["run", "tasks.only=[rename/tally_ledger,feature/calc_units]", "study.controls=[]"]
TIMES = ("seconds", "started_at", "run_id")


def start(folder: Path, name: str) -> subprocess.Popen[str]:
    """Start or resume the run `name`; what it leaves in the temporary folder stays in `folder`."""
    command = [sys.executable, "-m", "harness", *RUN, f"run.results={folder}", f"run.name={name}"]
    scratch = folder / "scratch"
    scratch.mkdir(parents=True, exist_ok=True)
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(scratch)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def ended(process: subprocess.Popen[str], after_s: float | None) -> bool:
    """True where a start came to its end; False where it was killed first, `after_s` seconds on."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        _, told = process.communicate(timeout=after_s)
        if process.returncode != 0:
            sys.exit(f"a start failed with exit code {process.returncode}:\n{told}")
        return True
    process.kill()
    process.communicate()
    return False


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    """Records of a run, times aside."""
    text = (folder / name / "records.jsonl").read_text(encoding="utf-8")
    found = [json.loads(line) for line in text.splitlines()]
    return [{k: v for k, v in row.items() if k not in TIMES} for row in found]


def runs(folder: Path, kills: int, seed: int, longest_s: float) -> Iterator[tuple[str, int]]:
    """Finished runs by name, each with the kills that it outlived."""
    draw = random.Random(seed)
    number, total, here = 1, 0, 0
    while True:
        # The last run is left alone once there were enough kills.
        after_s = draw.uniform(0.0, longest_s) if total < kills else None
        if ended(start(folder, f"r{number}"), after_s):
            yield f"r{number}", here
            if total >= kills:
                return
            number, here = number + 1, 0
        else:
            total, here = total + 1, here + 1


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given.add_argument("--kills", type=int, default=200)
    given.add_argument("--seed", type=int, default=0)
    given = given.parse_args()
    with tempfile.TemporaryDirectory(prefix="seambench-kill-") as name:
        folder = Path(name)
        began = time.monotonic()
        ended(start(folder, "undisturbed"), None)
        whole_s = time.monotonic() - began
        wanted = rows(folder, "undisturbed")
        finished, kills = 0, 0
        for run, here in runs(folder, given.kills, given.seed, whole_s):
            finished, kills = finished + 1, kills + here
            if rows(folder, run) != wanted:
                sys.exit(f"{run}: its records differ after {here} kills (seed {given.seed})")
    print(
        f"{kills} kills at random moments over {finished} runs: the {len(wanted)} records of each "
        "are those of an undisturbed run"
    )


if __name__ == "__main__":
    main()
