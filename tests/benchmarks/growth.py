"""Time and memory of a run as the number of prefixes grows: 36 tasks at more and more seams.

    python tests/benchmarks/growth.py --prefixes 36,72,144,360

Two arms on each prefix, in processes, one per core. Prints a table and the straight line through
the times; exit code 1 where a run fails or peak memory is 1 GB or more.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TASKS = 36
SAMPLE_S = 0.2
AIM_MB = 1024


@dataclass(frozen=True)
class Measured:
    """One run: wall-clock seconds, and the peak memory of its tree of processes."""

    prefixes: int
    statuses: Counter[str]
    seconds: float
    peak_mb: float


def memory_mb(root: int) -> float:
    """Memory of a process and all its descendants: PSS, so a page that n share counts 1/n in each.

    Where PSS may not be read, a process counts with all that it has resident.
    """
    return sum(_pss_kb(pid) for pid in _tree(root)) / 1024


def _tree(root: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            parent = (
                path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1]
            )
            children.setdefault(int(parent), []).append(int(path.parent.name))
    found = [root]
    for pid in found:
        found.extend(children.get(pid, []))
    return found


def _pss_kb(pid: int) -> int:
    for name, field in (("smaps_rollup", "Pss:"), ("status", "VmRSS:")):
        with contextlib.suppress(OSError):
            lines = Path(f"/proc/{pid}/{name}").read_text(encoding="utf-8").splitlines()
            return next((int(x.split()[1]) for x in lines if x.startswith(field)), 0)
    return 0


def measure(prefixes: int, folder: Path) -> Measured:
    """Run so many prefixes to their end."""
    command = [sys.executable, "-m", "harness", "run", "executor=processes", "study.controls=[]"]
    command += [f"seam.repeats={prefixes // TASKS}", f"run.results={folder}", "run.name=r"]
    began, peak = time.monotonic(), 0.0
    log = folder / "log"
    with log.open("w", encoding="utf-8") as file:
        process = subprocess.Popen(command, cwd=ROOT, stdout=file, stderr=file)
        while process.poll() is None:
            peak = max(peak, memory_mb(process.pid))
            time.sleep(SAMPLE_S)
    if process.returncode != 0:
        sys.exit(log.read_text(encoding="utf-8"))
    seconds = time.monotonic() - began
    lines = (folder / "r" / "records.jsonl").read_text(encoding="utf-8").splitlines()
    return Measured(prefixes, Counter(json.loads(x)["status"] for x in lines), seconds, peak)


def line_through(runs: list[Measured]) -> str:
    """The least-squares line of seconds over prefixes, and how far from it a run lies at most."""
    x, y = [run.prefixes for run in runs], [run.seconds for run in runs]
    slope, start = statistics.linear_regression(x, y)
    off = max(abs(s - start - slope * n) / s for n, s in zip(x, y, strict=True))
    return f"time = {start:.1f} s + {slope:.2f} s a prefix; farthest from it: {off:.0%}"


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given.add_argument("--prefixes", default="36,72", help=f"multiples of {TASKS}, e.g. 36,72,144")
    given.add_argument("--rows", type=Path, help="file for the figures, for growth_plot.py")
    args = given.parse_args()
    counts = [int(word) for word in args.prefixes.split(",")]
    if len(counts) < 2 or any(count % TASKS or count <= 0 for count in counts):
        given.error(f"--prefixes: expected two or more multiples of {TASKS}")
    columns = (f"{name:>8}" for name in ("prefixes", "trials", "scored", "seconds", "s/prefix"))
    print(*columns, f"{'peak MB':>8}")
    runs = []
    for count in counts:
        with tempfile.TemporaryDirectory(prefix="seambench-growth-") as folder:
            run = measure(count, Path(folder))
        runs.append(run)
        trials, scored = run.statuses.total(), run.statuses["scored"]
        each = run.seconds / count
        print(
            f"{count:8} {trials:8} {scored:8} {run.seconds:8.1f} {each:8.2f} {run.peak_mb:8.0f}",
            flush=True,
        )
    print(line_through(runs))
    if args.rows:
        rows = [(run.prefixes, run.seconds, run.peak_mb) for run in runs]
        told = {"what": "a run, two arms, in processes", "of": "prefixes", "rows": rows}
        args.rows.write_text(json.dumps(told), encoding="utf-8")
    peak = max(run.peak_mb for run in runs)
    print(f"peak memory {peak:.0f} MB, aim < {AIM_MB} MB")
    sys.exit(peak >= AIM_MB)


if __name__ == "__main__":
    main()
