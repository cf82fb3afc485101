"""Studies and long runs: registered, resumable, the same wherever they are carried out."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import signal
import subprocess
import threading
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from runs import RECORDS_ONLY, ROOT, TIMES, environ, records_only, seambench

TASKS = "tasks.only=[rename/tally_ledger,feature/calc_units]"
KILLS = 10

pytestmark = pytest.mark.slow


def arguments(results: Path, name: str, *overrides: str) -> list[str]:
    """Two tasks, two arms."""
    given = ["run", TASKS, "study.controls=[]", f"run.results={results}", f"run.name={name}"]
    return [*given, *overrides]


def rows(results: Path, name: str) -> list[dict[str, Any]]:
    text = (results / name / "records.jsonl").read_text(encoding="utf-8")
    found = [json.loads(line) for line in text.splitlines()]
    return [{k: v for k, v in row.items() if k not in TIMES} for row in found]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    results = tmp_path_factory.mktemp("undisturbed")
    done = records_only(*arguments(results, "r"))
    assert done.returncode == 0, done.stderr
    return results


def test_killed_at_random_moments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The benchmark with few kills, all of them in the work: a run ends with its records here."""

    def start(folder: Path, name: str, _: Sequence[str]) -> subprocess.Popen[str]:
        scratch = folder / "scratch"
        scratch.mkdir(exist_ok=True)
        return subprocess.Popen(
            [*RECORDS_ONLY, *arguments(folder, name)],
            cwd=ROOT,
            env=environ(TMPDIR=str(scratch)),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )

    monkeypatch.syspath_prepend(str(ROOT / "tests" / "benchmarks"))
    benchmark = importlib.import_module("kill_resume")
    monkeypatch.setattr(benchmark, "start", start)
    given = Namespace(kills=KILLS, seed=7, within=None, overrides=())
    assert benchmark.measure(tmp_path, given).startswith(f"{KILLS} kills")


def test_processes_give_the_same_records(undisturbed: Path, tmp_path: Path) -> None:
    done = records_only(*arguments(tmp_path, "r", "executor=processes"))
    assert done.returncode == 0, done.stderr
    assert rows(tmp_path, "r") == rows(undisturbed, "r")


def test_ray_gives_the_same_records_though_a_worker_dies(undisturbed: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is an optional extra: pip install 'seambench[ray]'")
    killed = threading.Event()

    def kill_one() -> None:
        while not killed.is_set():
            found = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True)
            for line in found.stdout.splitlines():
                if "ray::_away" in line:
                    os.kill(int(line.split()[0]), signal.SIGKILL)
                    killed.set()
                    return
            killed.wait(0.1)

    watcher = threading.Thread(target=kill_one)
    watcher.start()
    try:
        done = records_only(*arguments(tmp_path, "r", "executor=ray", "executor.workers=2"))
    finally:
        seen = killed.is_set()
        killed.set()
        watcher.join()
    assert done.returncode == 0, done.stderr
    assert seen, "no Ray worker was seen at work"
    assert rows(tmp_path, "r") == rows(undisturbed, "r")


def test_submitit_gives_the_same_records(undisturbed: Path, tmp_path: Path) -> None:
    """SLURM's place is taken by submitit's local mode: jobs as processes of this machine."""
    pytest.importorskip("submitit", reason="submitit is optional: pip install 'seambench[slurm]'")
    jobs = ["executor=submitit", "executor.address=local", "executor.workers=2"]
    done = records_only(*arguments(tmp_path, "r", *jobs))
    assert done.returncode == 0, done.stderr
    assert rows(tmp_path, "r") == rows(undisturbed, "r")


def test_a_ray_address_that_is_down_is_one_line(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is an optional extra: pip install 'seambench[ray]'")
    ray = ["executor=ray", "executor.address=127.0.0.1:1"]
    done = seambench(*arguments(tmp_path, "r", *ray))
    assert done.returncode == 2 and "executor.address" in done.stderr.splitlines()[-1]


def study(results: Path, *overrides: str) -> list[str]:
    """A small study: two arms over two bands of one task, complete with four valid records."""
    small = ["study=study430", "tasks.only=[rename/tally_ledger]", f"run.results={results}"]
    small += ["study.strategies=[bare,engram]", "study.controls=[]", "study.repeats=2"]
    return [*small, "study.valid=4", *overrides]


def test_a_study_is_registered_before_it_runs(tmp_path: Path) -> None:
    refused = seambench("run", *study(tmp_path))
    assert refused.returncode == 2 and "seambench register" in refused.stderr
    done = seambench("register", *study(tmp_path))
    assert done.returncode == 0 and "digest" in done.stdout
    done = seambench("run", *study(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "bare" in done.stdout and "4/" not in done.stderr
    told = seambench("claims", str(tmp_path / "study430"))
    assert told.returncode == 0 and told.stdout.count("needs a real model") >= 15
    for override, field in (("study.seed=1", "seed"), ("budget.card=400", "budget.card")):
        changed = seambench("run", *study(tmp_path, override))
        assert changed.returncode == 2 and field in changed.stderr
        assert "another run.name" in changed.stderr


def test_no_outcome_by_strategy_before_the_study_is_complete(tmp_path: Path) -> None:
    seambench("register", *study(tmp_path, "study.valid=5"))
    done = seambench("run", *study(tmp_path, "study.valid=5"))
    assert done.returncode == 1 and "4 of 5 valid records" in done.stdout
    assert "continued" not in done.stdout
    assert not (tmp_path / "study430" / "report").exists()


def test_an_edited_prompt_or_task_after_registering_is_refused(tmp_path: Path) -> None:
    for part in ("harness", "analysis", "configs"):
        shutil.copytree(ROOT / part, tmp_path / part)
    shutil.copytree(
        ROOT / "tasks" / "rename" / "tally_ledger", tmp_path / "tasks/rename/tally_ledger"
    )
    results = tmp_path / "results"
    assert seambench("register", *study(results), cwd=tmp_path).returncode == 0
    changes = {
        "harness/agent.py": ("You are a coding agent", "You are a careful coding agent"),
        "harness/strategies/bare.py": ('"""bare:', '"""bare, changed:'),
        "tasks/rename/tally_ledger/repo/README.md": ("a", "aa"),
    }
    fields = {"harness/agent.py": "prompts.agent", "harness/strategies/bare.py": "arms.bare.code"}
    for name, (old, new) in changes.items():
        path = tmp_path / name
        kept = path.read_text(encoding="utf-8")
        path.write_text(kept.replace(old, new, 1), encoding="utf-8")
        refused = seambench("run", *study(results), cwd=tmp_path)
        assert refused.returncode == 2, refused.stdout
        assert fields.get(name, "tasks.rename/tally_ledger") in refused.stderr
        path.write_text(kept, encoding="utf-8")


def test_exported_prefixes_give_a_new_strategy_the_same_bytes(
    undisturbed: Path, tmp_path: Path
) -> None:
    out = tmp_path / "prefixes"
    done = seambench("export", "prefixes", str(undisturbed / "r"), "--to", str(out))
    assert done.returncode == 0 and "2 frozen prefixes" in done.stdout, done.stderr
    reuse = [f"run.prefixes={out}", "model=worker"]
    done = records_only(*arguments(tmp_path, "r", *reuse))
    assert done.returncode == 0, done.stderr
    assert rows(tmp_path, "r") == rows(undisturbed, "r")
    other = seambench(*arguments(tmp_path, "s", f"run.prefixes={out}", "study.seed=9"))
    assert other.returncode == 2 and "none of the 2 planned prefixes" in other.stderr


@pytest.mark.parametrize("kind", ["parquet", "csv", "hf"])
def test_records_for_other_programs(undisturbed: Path, tmp_path: Path, kind: str) -> None:
    import pandas

    out = tmp_path / "out"
    done = seambench("records", str(undisturbed / "r"), "--to", kind, "--out", str(out))
    assert done.returncode == 0, done.stderr
    read = pandas.read_csv if kind == "csv" else pandas.read_parquet
    frame = read(out / "records.parquet" if kind == "hf" else out)
    assert len(frame) == 4 and set(frame["strategy"]) == {"bare", "engram"}
    windows = frame["windows"][0]
    assert (json.loads(windows) if kind == "csv" else windows)["registered"]["items"]


def test_a_reached_cap_stops_scheduling_and_can_be_resumed(
    undisturbed: Path, tmp_path: Path
) -> None:
    capped = [*arguments(tmp_path, "r", "run.max_tokens=1", "run.concurrency=1")]
    done = records_only(*capped)
    assert done.returncode == 1 and "run.max_tokens is reached" in done.stderr
    assert 0 < len(rows(tmp_path, "r")) < 4
    assert records_only(*arguments(tmp_path, "r")).returncode == 0
    assert rows(tmp_path, "r") == rows(undisturbed, "r")
