"""Faults of the machine at every write of a run: `make faults` tries them all and prints a table.

A run of one small task and two arms is stopped at its n-th operation on the run folder and started
again. After that its records must be those of an undisturbed run, times aside; what was finished
before the fault must be there byte for byte; and `verify` must confirm every verdict.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faulty_disk import CUT, Disk, cut_power, kill, lose_permission, nothing
from fixtures import write_fixture

ROOT = Path(__file__).resolve().parents[1]
TIMES = ("seconds", "started_at", "run_id", "harness_version")


def overrides(tasks: Path, results: Path) -> list[str]:
    """The run: one task, two arms, one after the other."""
    given = ["strategy=engram", "study.controls=[]", "seam=mid", "run.concurrency=1"]
    given += ["run.sandbox=plain", "run.name=r", f"run.results={results}"]
    return [*given, f"tasks.path=[{tasks}]"]


def start(
    tasks: Path,
    results: Path,
    disk: Disk | None = None,
    *,
    version: str = "",
    jumping: bool = False,
) -> int:
    """Run, or go on, in a process of its own; its exit code. Tables and plots are left out."""
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    code = 70
    try:
        with open(os.devnull, "w", encoding="utf-8") as quiet:
            os.dup2(quiet.fileno(), 1)
        with open(results.with_name(f"{results.name}.log"), "a", encoding="utf-8") as log:
            os.dup2(log.fileno(), 2)
        if jumping:
            real, by = time.time, itertools.cycle([4e9, -1e9])
            time.time = lambda: real() + next(by)  # type: ignore[method-assign]
        code = _run(tasks, results, disk, version)
    finally:
        sys.stderr.flush()
        os._exit(code)


def _load() -> None:
    """Load here what every start would load for itself."""
    import hydra  # noqa: F401
    import openai.resources.chat  # noqa: F401

    from harness import build, cli, tokens  # noqa: F401
    from harness.verbs import look, runs  # noqa: F401

    tokens.count("x")


def _run(tasks: Path, results: Path, disk: Disk | None, version: str) -> int:
    from harness import record
    from harness.cli import main
    from harness.verbs import runs

    assert runs.report_run
    runs.report_run = lambda _: None  # made again at any time
    if version:
        record.__version__ = version
    if disk:
        disk.watch()
    code = main(["run", *overrides(tasks, results)])
    if disk:
        results.with_name(f"{results.name}.count").write_text(str(disk.count), encoding="utf-8")
    return code


def lines_of(results: Path) -> list[bytes]:
    """Whole lines of a run's records; none where there is no file yet."""
    path = results / "r" / "records.jsonl"
    return path.read_bytes().split(b"\n")[:-1] if path.exists() else []


def rows(results: Path) -> list[dict[str, Any]]:
    """Records of a run, times aside."""
    found = map(json.loads, lines_of(results))
    return [{k: v for k, v in row.items() if k not in TIMES} for row in found]


def wrong(results: Path, kept: list[bytes], wanted: list[dict[str, Any]]) -> str:
    """What is not as it must be after a run was brought to its end; "" for nothing."""
    from harness.config import config_folder
    from harness.rubric import load_rubric
    from harness.store import RunFolder
    from harness.verbs.look import differing_fields

    if not set(kept) <= set(lines_of(results)):
        return "a finished trial was lost or changed"
    if rows(results) != wanted:
        return "the records differ from an undisturbed run's"
    rubric = load_rubric(config_folder() / "rubric" / "continuity_v1.yaml")
    folder = RunFolder(results / "r")
    for record in folder.records():
        if fields := differing_fields(folder, record, rubric):
            return f"verify: {fields} differ"
    return ""


@dataclass(frozen=True)
class Bench:
    """A place for runs, with the records and the number of operations of an undisturbed one."""

    folder: Path
    tasks: Path
    wanted: list[dict[str, Any]]
    operations: int

    def disturbed(self, fault: Callable[[Disk, Any], None], at: int, version: str = "") -> str:
        """What is wrong after a fault at operation `at` and a second start; "" for nothing."""
        results = self.folder / f"{fault.__name__}-{at}"
        disk = Disk(f"{results}{os.sep}", at, fault)
        code = start(self.tasks, results, disk)
        kept = lines_of(results)
        if fault is lose_permission:
            for folder, _, _ in os.walk(results):
                os.chmod(folder, 0o700)
            log = results.with_name(f"{results.name}.log").read_text("utf-8").splitlines()
            if code not in (0, 2) or "Traceback (most recent call last):" in log:
                return f"exit code {code}: {log[-1] if log else 'nothing said'}"
        elif code != CUT:
            return f"exit code {code} instead of the fault"
        code = start(self.tasks, results, version=version)
        if code != 0:
            log = results.with_name(f"{results.name}.log").read_text("utf-8").splitlines()
            return f"exit code {code} when started again: {log[-1] if log else ''}"
        found = wrong(results, kept, self.wanted)
        shutil.rmtree(results)
        return found


@contextlib.contextmanager
def bench() -> Iterator[Bench]:
    """An undisturbed run, to compare with."""
    _load()
    with tempfile.TemporaryDirectory(prefix="seambench-faults-") as name:
        folder = Path(name).resolve()
        write_fixture(folder / "tasks")
        results = folder / "undisturbed"
        code = start(folder / "tasks", results, Disk(f"{results}{os.sep}", -1, nothing))
        log = results.with_name("undisturbed.log")
        assert code == 0, log.read_text("utf-8")
        count = int(results.with_name("undisturbed.count").read_text("utf-8"))
        yield Bench(folder, folder / "tasks", rows(results), count)


def full_disk(place: Bench, size: int) -> str:
    """The same for a disk of `size` bytes that becomes full; needs bubblewrap."""
    small, kept = place.folder / f"small-{size}", place.folder / f"kept-{size}"
    small.mkdir()
    mount = ["bwrap", "--bind", "/", "/", "--dev-bind", "/dev", "/dev", "--proc", "/proc"]
    mount += ["--size", str(size), "--tmpfs", str(small)]
    script = 'small=$1 kept=$2; shift 2; "$@"; code=$?; cp -r "$small" "$kept"; exit $code'
    command = [sys.executable, __file__, "--once", str(place.tasks), str(small)]
    done = subprocess.run(
        [*mount, "sh", "-c", script, "sh", str(small), str(kept), *command],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    said = done.stderr.strip().splitlines()
    full = os.strerror(errno.ENOSPC)
    if done.returncode != 2 or not said or full not in said[-1] or "Traceback" in done.stderr:
        return f"exit code {done.returncode}: {said[-1] if said else 'nothing said'}"
    finished = lines_of(kept)
    if start(place.tasks, kept) != 0:
        return "does not go on"
    return wrong(kept, finished, place.wanted)


def two_runners(place: Bench) -> str:
    """A second start while the first is at work is refused, and changes nothing."""
    from harness.store import RunFolder

    results = place.folder / "two"
    disk = Disk(f"{results}{os.sep}", place.operations // 2, kill)
    if start(place.tasks, results, disk) != CUT:
        return "not stopped"
    kept = lines_of(results)
    with RunFolder(results / "r").locked():
        if (code := start(place.tasks, results)) != 2:
            return f"exit code {code} beside another runner"
    if lines_of(results) != kept or start(place.tasks, results) != 0:
        return "does not go on"
    return wrong(results, kept, place.wanted)


def clock_jumps(place: Bench) -> str:
    """The clock of the machine jumps by decades, to and fro, all the time."""
    results = place.folder / "clock"
    if (code := start(place.tasks, results, jumping=True)) != 0:
        return f"exit code {code}"
    return wrong(results, [], place.wanted)


def read_only(place: Bench) -> str:
    """Results that cannot be written are refused in one line; once they can be, all is well."""
    results = place.folder / "read-only"
    results.mkdir(mode=0o500)
    code = start(place.tasks, results)
    said = results.with_name(f"{results.name}.log").read_text("utf-8").strip().splitlines()
    if code != 2 or not said or os.strerror(errno.EACCES) not in said[-1]:
        return f"exit code {code}: {said[-1] if said else 'nothing said'}"
    results.chmod(0o700)
    return wrong(results, [], place.wanted) if start(place.tasks, results) == 0 else "not started"


def one(place: Bench, name: str, fault: Callable[[Bench], str]) -> int:
    """The row of a fault that is tried once."""
    return report(name, 1, [what for what in [fault(place)] if what])


def report(name: str, points: int, failures: list[str]) -> int:
    """One row of the table; the number of failures."""
    outcome = f"{len(failures)} FAILED, e.g. {failures[0]}" if failures else "held"
    print(f"{name:42} {points:5} points  {outcome}", flush=True)
    return len(failures)


def at_each(place: Bench, fault: Callable[[Disk, Any], None], every: int, version: str = "") -> int:
    """A fault at every operation, or at every n-th."""
    points = range(1, place.operations + 1, every)
    found = [(at, place.disturbed(fault, at, version)) for at in points]
    failures = [f"at operation {at}: {what}" for at, what in found if what]
    named = {kill: "process killed", cut_power: "power cut", lose_permission: "permission lost"}
    name = named[fault] + (", then a newer version" if version else "")
    return report(name, len(points), failures)


def permissions(place: Bench, every: int) -> int:
    """The rows for whoever is bound by the modes of files."""
    lost = one(place, "read-only results", read_only)
    return lost + at_each(place, lose_permission, every)


def can_lose_permission() -> bool:
    """False where every file may be written whatever its mode: root with all capabilities."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o500)
        return not os.access(name, os.W_OK)


def without_override(arguments: list[str]) -> int:
    """This script again, as a root that keeps to the modes of files."""
    caps = "-dac_override,-dac_read_search"
    drop = ["setpriv", f"--inh-caps={caps}", f"--bounding-set={caps}"]
    return subprocess.run([*drop, sys.executable, __file__, *arguments], check=False).returncode


def main() -> int:
    """Print the table; 1 where anything was lost."""
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given.add_argument("--every", type=int, default=1, help="try only every n-th operation")
    given.add_argument("--permission", action="store_true", help=argparse.SUPPRESS)
    given.add_argument("--once", nargs=2, type=Path, help=argparse.SUPPRESS)
    given = given.parse_args()
    if given.once:
        return _run(*given.once, None, "")
    began, lost = time.monotonic(), 0
    with bench() as place:
        if given.permission:
            return permissions(place, given.every)
        for fault in (kill, cut_power):
            lost += at_each(place, fault, given.every)
        lost += at_each(place, kill, given.every * 10, version="99.0")
        lost += one(place, "two runners", two_runners)
        lost += one(place, "clock jumps", clock_jumps)
        if shutil.which("bwrap"):
            sizes = range(20_000, 140_000, 20_000)
            found = [(size, full_disk(place, size)) for size in sizes]
            failures = [f"{size} bytes: {what}" for size, what in found if what]
            lost += report("full disk", len(sizes), failures)
        if can_lose_permission():
            lost += permissions(place, given.every)
    if not can_lose_permission():
        lost += without_override(["--permission", "--every", str(given.every)])
    print(
        f"{lost} faults did harm" if lost else "no fault did harm",
        f"({time.monotonic() - began:.0f} s)",
    )
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
