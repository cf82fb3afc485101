"""What a user can get wrong: one clear line, exit code 2, nothing written."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from runs import PROGRAM, RECORDS_ONLY, ROOT, TIMES, environ, records_only, seambench

from harness.cli import main
from harness.config import load_config

TASK = ROOT / "tasks" / "rename" / "tally_ledger"
JUMPING = """
import itertools
import pathlib
import time

at = itertools.count()
real = time.time
seen = pathlib.Path(__file__).with_name("seen")


def jumping():
    seen.touch()
    return real() + (4_000_000_000, -1_000_000_000)[next(at) % 2]


time.time = jumping
"""


def said(capfd: pytest.CaptureFixture[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """What the program says within this process, which need not be started for it."""
    code = main(arguments)
    return subprocess.CompletedProcess(arguments, code, *capfd.readouterr())


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
def test_overrides(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], override: str, parts: tuple[str, ...]
) -> None:
    out = f"run.results={tmp_path / 'out'}"
    refused(said(capfd, "run", "family=rename", out, override), *parts)
    assert not (tmp_path / "out").exists()


@pytest.fixture
def private_tasks(tmp_path: Path) -> Path:
    shutil.copytree(TASK, tmp_path / "tasks" / "rename" / "mine")
    path = tmp_path / "tasks" / "rename" / "mine" / "task.yaml"
    text = path.read_text(encoding="utf-8").replace("id: rename/tally_ledger", "id: rename/mine")
    path.write_text(text, encoding="utf-8")
    return tmp_path / "tasks"


@pytest.mark.parametrize(
    "override",
    [
        ["executor=submitit", "executor.parameters={slurm_partition: cpu}"],
        ["study.hypotheses={first: [[engram, bare]]}"],
        ["model.habits={orient: 0.5}"],
        ["model.prices={input: 1.0, output: 4.0}"],
        ["strategy=own", "strategy.import_path=mine:Mine", "+strategy.options.count=3"],
    ],
)
def test_what_is_open_takes_names_of_its_own(override: list[str]) -> None:
    """Hydra refuses keys that a file does not list, unless the file leaves the whole open."""
    load_config(override)


@pytest.mark.parametrize("verb", [["strategies"], ["estimate", "family=quick"]])
def test_whoever_reads_a_verbs_answer_may_stop_reading(verb: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [*PROGRAM, *verb], cwd=ROOT, env=environ(), stdout=writing, stderr=subprocess.PIPE
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


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


def small_run(results: Path, *overrides: str) -> list[str]:
    """One task, two arms."""
    arguments = ["run", "family=rename", "tasks.only=[rename/tally_ledger]", "study.controls=[]"]
    return [*arguments, f"run.results={results}", "run.name=r", *overrides]


def lines_of(results: Path) -> list[bytes]:
    return (results / "r" / "records.jsonl").read_bytes().splitlines()


def without_times(results: Path) -> list[dict[str, Any]]:
    rows = map(json.loads, lines_of(results))
    return [{k: v for k, v in row.items() if k not in TIMES} for row in rows]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results folder of an undisturbed run."""
    results = tmp_path_factory.mktemp("finished")
    done = records_only(*small_run(results))
    assert done.returncode == 0, done.stderr
    return results


@pytest.mark.slow
def test_a_second_runner_in_a_folder_is_refused(finished: Path, tmp_path: Path) -> None:
    command = [*RECORDS_ONLY, *small_run(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, env=environ(), stdout=subprocess.DEVNULL) as first:
        while not (tmp_path / "r" / "command.json").exists():  # written once the folder is locked
            assert first.poll() is None
            time.sleep(0.01)
        refused(seambench(*small_run(tmp_path)), str(tmp_path / "r"), "another runner")
    assert first.returncode == 0
    assert without_times(tmp_path) == without_times(finished)


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["run", "resume", "verify", "report"])
def test_a_damaged_line_is_named(finished: Path, tmp_path: Path, verb: str) -> None:
    shutil.copytree(finished / "r", tmp_path / "r")
    log = tmp_path / "r" / "records.jsonl"
    first, second = lines_of(tmp_path)
    damaged = first + b"\n" + second[:100] + b"\n" + second + b"\n"
    log.write_bytes(damaged)
    arguments = small_run(tmp_path) if verb == "run" else [verb, str(tmp_path / "r")]
    (tmp_path / "r" / "command.json").write_text(
        json.dumps(small_run(tmp_path)[1:]), encoding="utf-8"
    )
    refused(seambench(*arguments), str(log), "line 2 is damaged")
    assert log.read_bytes() == damaged


@pytest.mark.slow
def test_a_clock_that_jumps_changes_nothing(finished: Path, tmp_path: Path) -> None:
    shim = tmp_path / "shim"
    shim.mkdir()
    (shim / "sitecustomize.py").write_text(JUMPING, encoding="utf-8")
    path = f"{shim}{os.pathsep}{ROOT}"
    done = seambench(*small_run(tmp_path, "run.max_hours=0.5"), PYTHONPATH=path)
    assert done.returncode == 0, done.stderr
    assert without_times(tmp_path) == without_times(finished)
    assert (shim / "seen").exists(), "nobody looked at the clock"


@pytest.mark.slow
@pytest.mark.parametrize("size", [200_000, 400_000], ids=["in mid-run", "in the report"])
def test_a_full_disk_is_one_line_and_loses_nothing(
    finished: Path, tmp_path: Path, size: int
) -> None:
    small, kept = tmp_path / "small", tmp_path / "kept"
    small.mkdir()
    mount = ["bwrap", "--bind", "/", "/", "--dev-bind", "/dev", "/dev"]
    mount += ["--size", str(size), "--tmpfs", str(small)]
    if not shutil.which("bwrap") or subprocess.run([*mount, "true"]).returncode != 0:
        pytest.skip("a small disk needs bubblewrap")
    plain = ("run.sandbox=plain", "run.concurrency=1")  # no bubblewrap within bubblewrap
    script = 'kept=$1 small=$2; shift 2; "$@"; code=$?; cp -r "$small" "$kept"; exit $code'
    within = (*mount, "sh", "-c", script, "sh", str(kept), str(small), *PROGRAM)
    done = seambench(*small_run(small, *plain), program=within)
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
    last = done.stderr.splitlines()[-1]
    assert str(small / "r") in last and "No space left on device" in last
    assert "nothing finished is lost" in last
    log = kept / "r" / "records.jsonl"
    whole = log.read_bytes().split(b"\n")[:-1] if log.exists() else []
    again = records_only(*small_run(kept, *plain))
    assert again.returncode == 0, again.stderr
    assert all(line in lines_of(kept) for line in whole), "a finished trial was lost"
    found = [{**row, "sandbox": None} for row in without_times(kept)]
    assert found == [{**row, "sandbox": None} for row in without_times(finished)]


@pytest.mark.parametrize("verb", ["run", "register", "estimate"])
@pytest.mark.parametrize(
    ("override", "parts"),
    [
        ("tasks.only=[nosuch/x]", ("tasks.only", "nosuch/x")),
        ("tasks.only=[rename/tally_ledger,nosuch/x]", ("tasks.only", "nosuch/x")),
        ("study=study431", ("study431", "study430")),
    ],
)
def test_a_study_of_what_does_not_exist(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    verb: str,
    override: str,
    parts: tuple[str, ...],
) -> None:
    out = tmp_path / "out"
    refused(said(capfd, verb, "study=study430", override, f"run.results={out}"), *parts)
    assert not out.exists()


def test_a_task_of_another_family_is_not_left_out_silently(tmp_path: Path) -> None:
    only = "tasks.only=[rename/tally_ledger,feature/calc_units]"
    done = seambench("run", "family=rename", only, f"run.results={tmp_path / 'out'}")
    refused(done, "feature/calc_units", "family")
    assert not (tmp_path / "out").exists()


def test_help_names_every_verb() -> None:
    done = seambench("--help")
    assert done.returncode == 0
    for verb in ("run", "score", "show", "report", "verify", "validate", "doctor", "extract"):
        assert verb in done.stdout
