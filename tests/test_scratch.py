"""Temporary folders: none stays behind a run, however it ended, and a living run's are kept."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fixtures import write_fixture
from runs import RECORDS_ONLY, ROOT, environ

from harness.scratch import PREFIX, Scratch, swept

HOLD = """import os, time
from harness.scratch import Scratch
folder = Scratch()
print(folder.name, flush=True)
"""


@pytest.fixture
def temporary() -> Iterator[Path]:
    """Where the runs of a test keep what is temporary; its path is short, sockets lie below it."""
    with tempfile.TemporaryDirectory(prefix="sb-") as place:
        folder = Path(place) / "t"
        folder.mkdir()
        write_fixture(Path(place) / "tasks")
        yield folder


@contextmanager
def python(temporary: Path, *arguments: str, first: str = ":") -> Iterator[subprocess.Popen[str]]:
    """Python with these arguments, started by a shell that does something else first."""
    shell = ["sh", "-c", f'{first}; exec "$@"', "sh"]
    with subprocess.Popen(
        [*shell, sys.executable, *arguments],
        cwd=ROOT,
        env=environ(TMPDIR=str(temporary)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def run(temporary: Path, *more: str) -> list[str]:
    """Arguments of a small run whose results lie beside the temporary folder."""
    place = temporary.parent
    given = [f"tasks.path=[{place / 'tasks'}]", f"run.results={place / 'results'}", "run.name=r"]
    return ["-m", "harness", "run", *given, "strategy=engram", "seam=mid", *more]


def await_workspace(temporary: Path, process: subprocess.Popen[str]) -> None:
    """Until the run is at work in a workspace."""
    while not list(temporary.glob(f"{PREFIX}*/prefix-*")):
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


def test_a_temporary_folder_too_deep_for_sockets_is_one_line(temporary: Path) -> None:
    deep = temporary / ("d" * 80)
    deep.mkdir()
    with python(deep, *run(temporary, "executor=processes")) as process:
        _, told = process.communicate()
    last = told.splitlines()[-1]
    assert process.returncode == 2 and last.startswith("seambench: TMPDIR: "), told
    assert "set another" in last and "Traceback" not in told


@pytest.mark.slow
def test_a_run_in_processes_leaves_nothing(temporary: Path) -> None:
    with python(temporary, *run(temporary, "executor=processes")) as process:
        _, told = process.communicate()
    assert process.returncode == 0, told
    assert list(temporary.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sent", "executor", "first"),
    [
        (signal.SIGINT, "processes", ":"),
        (signal.SIGTERM, "local", ":"),
        (signal.SIGTERM, "processes", "trap '' INT"),  # as shells start what runs beside them
    ],
)
def test_a_run_that_is_told_to_stop_stops_and_leaves_nothing(
    temporary: Path, sent: signal.Signals, executor: str, first: str
) -> None:
    more = ["seam.repeats=4", "run.concurrency=1", f"executor={executor}"]
    with python(temporary, *run(temporary, *more), first=first) as process:
        await_workspace(temporary, process)
        process.send_signal(sent)
        _, told = process.communicate()
    assert process.returncode == 1 and "interrupted" in told, told
    assert "Traceback" not in told
    records = temporary.parent / "results" / "r" / "records.jsonl"
    assert not records.exists() or records.read_bytes().count(b"\n") < 32, "it went on to its end"
    assert list(temporary.iterdir()) == []


@pytest.mark.slow
def test_what_a_killed_run_left_is_gone_after_the_next_and_a_living_ones_is_not(
    temporary: Path,
) -> None:
    with python(temporary, *run(temporary, "executor=processes")) as process:
        await_workspace(temporary, process)
        process.kill()
    assert list(temporary.glob(f"{PREFIX}*"))
    with python(temporary, "-c", f"{HOLD}time.sleep(600)") as living:
        assert living.stdout
        kept = Path(living.stdout.readline().strip())
        with python(temporary, RECORDS_ONLY[1], *run(temporary)[2:]) as process:
            _, told = process.communicate()
        assert process.returncode == 0, told
        assert list(temporary.glob(f"{PREFIX}*")) == [kept]


def test_a_sweep_takes_only_what_is_a_dead_processes_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    mine = Scratch()
    others = [tmp_path / name for name in ("seambench-of-others", "other", f"{PREFIX}file")]
    others[0].mkdir()
    others[1].mkdir()
    others[2].write_text("not a folder", encoding="utf-8")
    link = tmp_path / f"{PREFIX}link"
    link.symlink_to(others[1])
    with python(tmp_path, "-c", f"{HOLD}os._exit(9)") as dead:
        left = Path(dead.communicate()[0].strip())
    (left / "locked").mkdir(mode=0o500)
    assert left.is_dir()
    with swept():
        assert not left.exists()
    assert sorted(tmp_path.iterdir()) == sorted([Path(mine.name), link, *others])
    mine.cleanup()
    assert not Path(mine.name).exists()


PROBED = """import os, signal, subprocess
from harness.sandbox import find_sandbox
run = subprocess.run
def killed(command, **given):
    if "--die-with-parent" in command:
        os.kill(os.getpid(), signal.SIGKILL)
    return run(command, **given)
subprocess.run = killed
find_sandbox("bubblewrap")
"""


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_who_is_killed_while_it_tries_its_sandbox_leaves_nothing_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with python(tmp_path, "-c", PROBED) as dying:
        dying.communicate()
    assert dying.returncode == -signal.SIGKILL and list(tmp_path.glob(f"{PREFIX}*"))
    with swept():
        assert list(tmp_path.iterdir()) == []
