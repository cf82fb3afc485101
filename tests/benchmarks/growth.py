"""Time and memory of a run as the number of prefixes grows: 36 tasks at more and more seams.

    python tests/benchmarks/growth.py --prefixes 36,72,144,360

Two arms on each prefix, in processes, one per core. Prints a table and the straight line through
the times; exit code 1 where a run fails or peak memory is 1 GB or more.
"""

from __future__ import annotations

import argparse
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
    """One run: wall-clock seconds, and the peak of resident memory over its tree of processes.

    Pages that processes share are counted in each of them, so the true peak is lower.
    """

    prefixes: int
    statuses: Counter[str]
    seconds: float
    peak_mb: float


def resident_mb(root: int) -> float:
    """Resident memory of a process and all its descendants, from /proc."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/status"):
        try:
            text = path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue  # it ended meanwhile
        found[path.parent.name] = dict(x.split(":\t", 1) for x in text.splitlines() if ":\t" in x)
    total = 0.0
    for name, fields in found.items():
        parent = found.get(fields["PPid"], {})
        # Between vfork and exec a child is its parent's memory, which counts once.
        same = all(fields.get(k) == parent.get(k) for k in ("VmPeak", "VmSize", "VmHWM"))
        if not same and _descends(name, str(root), found):
            total += int(fields.get("VmRSS", "0 kB").split()[0]) / 1024
    return total


def _descends(name: str, root: str, found: dict[str, dict[str, str]]) -> bool:
    while name != root and name in found:
        name = found[name]["PPid"]
    return name == root


def measure(prefixes: int, folder: Path) -> Measured:
    """Run so many prefixes to their end."""
    command = [sys.executable, "-m", "harness", "run", "executor=processes", "study.controls=[]"]
    command += [f"seam.repeats={prefixes // TASKS}", f"run.results={folder}", "run.name=r"]
    began, peak = time.monotonic(), 0.0
    log = folder / "log"
    with log.open("w", encoding="utf-8") as file:
        process = subprocess.Popen(command, cwd=ROOT, stdout=file, stderr=file)
        while process.poll() is None:
            peak = max(peak, resident_mb(process.pid))
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
    counts = [int(word) for word in given.parse_args().prefixes.split(",")]
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
    peak = max(run.peak_mb for run in runs)
    print(f"peak memory {peak:.0f} MB, aim < {AIM_MB} MB")
    sys.exit(peak >= AIM_MB)


if __name__ == "__main__":
    main()
