"""Runs that are killed at random moments and started again.

    python tests/benchmarks/kill_resume.py --kills 200
    python tests/benchmarks/kill_resume.py --kills 200 --within 5 family=all executor=processes

The first takes two tasks and two arms. A run that was started often enough ends; its records must
be those of an undisturbed run, times aside. Then the next one begins, until there were as many
kills as asked for. The second takes 36 tasks and kills within 5 s, so that all kills are of one
run. The last line is always the verdict, "held" or "FAILED"; exit code 1 where records differ, a
start fails by itself, or anything is left in the temporary folder.
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
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from harness.scratch import PREFIX
from harness.store import differences

ROOT = Path(__file__).resolve().parents[2]
USUAL = ["tasks.only=[rename/tally_ledger,feature/calc_units]"]
TIMES = ("seconds", "started_at", "run_id")


class Failed(Exception):
    """A promise that was not held; the text is the verdict's."""


def start(folder: Path, name: str, overrides: Sequence[str]) -> subprocess.Popen[str]:
    """Start or resume the run `name`; what it leaves in the temporary folder stays in `folder`."""
    given = [*overrides, "study.controls=[]", f"run.results={folder}", f"run.name={name}"]
    scratch = folder / "scratch"
    scratch.mkdir(parents=True, exist_ok=True)
    return subprocess.Popen(
        [sys.executable, "-m", "harness", "run", *given],
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
            raise Failed(f"a start ended with exit code {process.returncode}: {told.strip()}")
        return True
    process.kill()
    process.communicate()
    return False


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    """Records of a run, times aside."""
    path = folder / name / "records.jsonl"
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    found = map(json.loads, lines)
    return [{k: v for k, v in row.items() if k not in TIMES} for row in found]


def runs(
    folder: Path, given: argparse.Namespace, longest_s: float, planned: int
) -> Iterator[tuple[str, int]]:
    """Finished runs by name, each with the kills that it outlived."""
    draw = random.Random(given.seed)
    number, total, here = 1, 0, 0
    while True:
        # The last run is left alone once there were enough kills.
        after_s = draw.uniform(0.0, longest_s) if total < given.kills else None
        if ended(start(folder, f"r{number}", given.overrides), after_s):
            yield f"r{number}", here
            if total >= given.kills:
                return
            number, here = number + 1, 0
        else:
            total, here = total + 1, here + 1
            if total % 20 == 0:
                done = len(rows(folder, f"r{number}"))
                print(f"r{number}: {done} of {planned} records after {here} kills", flush=True)


def compare(folder: Path, run: str, wanted: list[dict[str, Any]]) -> None:
    """Raises Failed where a run's records are not the wanted ones."""
    found = rows(folder, run)
    told = differences(dict(enumerate(wanted)), dict(enumerate(found)))
    if told:
        raise Failed(f"{run}: its records differ: {'; '.join(told[:5])}")


def measure(folder: Path, given: argparse.Namespace) -> str:
    """What was held. Raises Failed."""
    began = time.monotonic()
    ended(start(folder, "undisturbed", given.overrides), None)
    whole_s = time.monotonic() - began
    wanted = rows(folder, "undisturbed")
    print(f"undisturbed: {len(wanted)} records in {whole_s:.1f} s", flush=True)
    finished, outlived = 0, 0
    for run, here in runs(folder, given, given.within or whole_s, len(wanted)):
        finished, outlived = finished + 1, outlived + here
        compare(folder, run, wanted)
        print(f"{run}: the same after {here} kills, {outlived} in all", flush=True)
        if left := sorted(path.name for path in (folder / "scratch").glob(f"{PREFIX}*")):
            raise Failed(f"{run}: left in the temporary folder: {', '.join(left[:5])}")
    return (
        f"{outlived} kills at random moments, runs: {finished}; the {len(wanted)} records of each "
        "are those of an undisturbed run, and nothing is left in the temporary folder"
    )


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given.add_argument("--kills", type=int, default=200)
    given.add_argument("--seed", type=int, default=0)
    given.add_argument("--within", type=float, help="seconds; default: those of a whole run")
    given.add_argument("overrides", nargs="*", default=USUAL, help="of the run, as for seambench")
    given = given.parse_args()
    verdict = "FAILED: it was interrupted"
    try:
        with tempfile.TemporaryDirectory(
            prefix="seambench-kill-", ignore_cleanup_errors=True
        ) as name:
            verdict = f"held: {measure(Path(name), given)}"
    except Failed as error:
        verdict = f"FAILED (seed {given.seed}): {error}"
    except Exception as error:
        traceback.print_exc()
        verdict = f"FAILED (seed {given.seed}): {type(error).__name__}: {error}"
    finally:
        print(verdict, flush=True)
    sys.exit(verdict.startswith("FAILED"))


if __name__ == "__main__":
    main()
