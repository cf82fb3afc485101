"""What a user can get wrong: one clear line, exit code 2, nothing written."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TASK = ROOT / "tasks" / "rename" / "tally_ledger"


def seambench(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "harness", *arguments]
    env = {**os.environ, "PYTHONPATH": str(cwd)}
    return subprocess.run(command, cwd=cwd, capture_output=True, encoding="utf-8", env=env)


def refused(done: subprocess.CompletedProcess[str], *parts: str) -> None:
    """Exit code 2 and one line on stderr that holds all the parts."""
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    for part in parts:
        assert part in done.stderr


@pytest.mark.parametrize(
    ("override", "parts"),
    [
        ("strategy=engrm", ("strategy", "engrm", "engram")),
        ("family=renam", ("family", "renam", "rename")),
        ("run.concurency=2", ("run.concurency", "run.concurrency")),
        (
            "strategy.options.feilds=[naming]",
            ("strategy.options.feilds", "strategy.options.fields"),
        ),
        ("strategy.options.fields=[namig]", ("namig", "naming")),
        ("+extra=1", ("extra",)),
        ("model=endpoint", ("model.base_url",)),
        ("seam.repeats=1,2", ("strategy",)),
        ("nonsense", ("nonsense", "key=value")),
        ("tasks.only=[rename/tally_leger]", ("tally_leger", "rename/tally_ledger")),
        ("tasks.path=[/no/such/folder]", ("/no/such/folder",)),
        ("seam.at=[middle]", ("middle", "mid")),
    ],
)
def test_overrides(tmp_path: Path, override: str, parts: tuple[str, ...]) -> None:
    done = seambench("run", "family=rename", f"run.results={tmp_path / 'out'}", override)
    refused(done, *parts)
    assert not (tmp_path / "out").exists()


@pytest.fixture
def private_tasks(tmp_path: Path) -> Path:
    shutil.copytree(TASK, tmp_path / "tasks" / "rename" / "mine")
    path = tmp_path / "tasks" / "rename" / "mine" / "task.yaml"
    text = path.read_text(encoding="utf-8").replace("id: rename/tally_ledger", "id: rename/mine")
    path.write_text(text, encoding="utf-8")
    return tmp_path / "tasks"


def test_an_unknown_key_in_a_task(private_tasks: Path, tmp_path: Path) -> None:
    path = private_tasks / "rename" / "mine" / "task.yaml"
    path.write_text(path.read_text(encoding="utf-8") + "\nsubgaols: []\n", encoding="utf-8")
    done = seambench("run", f"tasks.path=[{private_tasks}]", f"run.results={tmp_path / 'out'}")
    refused(done, str(path), "subgaols", "subgoals")
    assert not (tmp_path / "out").exists()


def test_an_edited_rubric_names_the_difference(tmp_path: Path) -> None:
    for part in ("harness", "analysis", "configs", "tasks"):
        shutil.copytree(ROOT / part, tmp_path / part)
    rubric = tmp_path / "configs" / "rubric" / "continuity_v1.yaml"
    text = rubric.read_text(encoding="utf-8")
    rubric.write_text(text.replace("window_turns: 3", "window_turns: 4"), encoding="utf-8")
    for arguments in (("run", "family=rename"), ("validate",)):
        refused(seambench(*arguments, cwd=tmp_path), "continuity_v1.yaml", "window_turns: 4")
    assert not (tmp_path / "results").exists()


def test_a_results_folder_that_cannot_be_written(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    refused(seambench("run", "family=rename", f"run.results={blocked}"), str(blocked))


def test_a_folder_of_another_configuration_is_told_field_by_field(tmp_path: Path) -> None:
    folder = tmp_path / "out" / "r"
    folder.mkdir(parents=True)
    (folder / "lock.json").write_text('{"families": ["bugfix"]}', encoding="utf-8")
    arguments = ["run", "family=rename", f"run.results={tmp_path / 'out'}", "run.name=r"]
    refused(seambench(*arguments), "families", "bugfix", "rename", "run.name")


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root")
def test_a_full_disk_is_one_line_and_loses_nothing(tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "none", str(small)])
    if mounted.returncode != 0:
        pytest.skip("mounting is not allowed here")
    try:
        arguments = ["run", "family=rename", "run.name=r", "tasks.only=[rename/tally_ledger]"]
        done = seambench(*arguments, f"run.results={small}")
        assert done.returncode == 2 and "Traceback" not in done.stderr
        assert "No space left on device" in done.stderr.splitlines()[-1]
        assert str(small) in done.stderr.splitlines()[-1]
        records = small / "r" / "records.jsonl"
        whole = records.read_bytes() if records.exists() else b""
        assert whole == b"" or whole.endswith(b"\n")
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_help_names_every_verb() -> None:
    done = seambench("--help")
    assert done.returncode == 0
    for verb in ("run", "score", "show", "report", "verify", "validate", "doctor", "extract"):
        assert verb in done.stdout
