"""The authoring kit: new-task, levels, what the corpus covers, the task set as a dataset."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import yaml
from runs import ROOT, records_only, seambench

from harness.spread import losses, repeated_sentences
from harness.tasks import load_task

TALLY = ROOT / "tasks" / "rename" / "tally_ledger"


@pytest.mark.parametrize("full", [False, True])
def test_a_skeleton_is_yaml_and_only_wants_its_blanks_filled(tmp_path: Path, full: bool) -> None:
    arguments = ["new-task", "--family", "bugfix", "--from", str(TALLY / "repo"), "--name", "mine"]
    done = seambench(*arguments, "--to", str(tmp_path), *(["--full"] if full else []))
    assert done.returncode == 0, done.stderr
    root = tmp_path / "bugfix" / "mine"
    data = yaml.safe_load((root / "task.yaml").read_text(encoding="utf-8"))
    assert data["id"] == "bugfix/mine" and ("slips" in data) == full
    assert (root / "repo" / "tally" / "money.py").is_file()
    refused = seambench("validate", str(root))
    assert refused.returncode == 2 and "load" in refused.stdout and "<sub-goal>" in refused.stdout
    again = seambench(*arguments, "--to", str(tmp_path))
    assert again.returncode == 2 and "exists already" in again.stderr


def make_basic(folder: Path) -> Path:
    """tally_ledger without what only the full level has, as rename/basic."""
    root = folder / "rename" / "basic"
    shutil.copytree(TALLY, root)
    data = yaml.safe_load((root / "task.yaml").read_text(encoding="utf-8"))
    data["id"] = "rename/basic"
    for key in ("slips", "alternatives", "checks", "detours"):
        data.pop(key, None)
    data["facts"] = [f for f in data["facts"] if not f["stated_in"].startswith("detour")]
    for subgoal in data["subgoals"]:
        for key in ("names", "edits", "needs", "redo"):
            subgoal.pop(key, None)
    text = yaml.safe_dump(data, allow_unicode=True, sort_keys=False)
    (root / "task.yaml").write_text(text, encoding="utf-8")
    return root


def test_a_basic_fixture_is_told_what_the_full_level_wants(tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    places = {"TMPDIR": str(temporary), "SEAMBENCH_CACHE": str(tmp_path / "cache")}
    done = seambench("validate", str(make_basic(tmp_path)), **places)
    assert done.returncode == 0, done.stdout
    assert "1 basic (for real agents only)" in done.stdout
    for key in ("names of", "edits of", "checks", "slips"):
        assert key in done.stdout
    assert list(temporary.iterdir()) == []


def test_a_basic_fixture_is_left_out_with_the_worker(tmp_path: Path) -> None:
    make_basic(tmp_path)
    results = f"run.results={tmp_path / 'out'}"
    done = seambench("run", f"tasks.path=[{tmp_path}]", "tasks.only=[rename/basic]", results)
    assert done.returncode == 2 and "basic fixture needs a real model" in done.stderr


def test_kinds_of_loss_and_repeated_sentences() -> None:
    task = load_task(TALLY).task
    assert {"prohibition", "read_only", "work_done", "number"} <= losses(task)
    assert repeated_sentences([task]) == []
    other = task.model_copy(update={"id": "rename/other"})
    assert len(repeated_sentences([task, other])) == len(task.facts)


@pytest.mark.slow
def test_export_load_back_and_run_gives_the_same_records(tmp_path: Path) -> None:
    place = tmp_path / "tasks"
    shutil.copytree(TALLY, place / "rename" / "tally_ledger")
    home = {"HF_HOME": str(tmp_path / "hf"), "HF_HUB_OFFLINE": "1"}
    done = seambench(
        "export", "tasks", "--to", str(tmp_path / "set"), "--tasks", str(place), **home
    )
    assert done.returncode == 0, done.stderr
    results = {}
    for name, source in (
        ("folder", f"tasks.path=[{place}]"),
        ("dataset", f"tasks.source=hf:{tmp_path / 'set'}"),
    ):
        arguments = ["run", source, "study.controls=[]", "run.name=r"]
        done = records_only(*arguments, f"run.results={tmp_path / name}", **home)
        assert done.returncode == 0, done.stderr
        lines = (tmp_path / name / "r" / "records.jsonl").read_text(encoding="utf-8").splitlines()
        times = ("seconds", "started_at")
        rows = [{k: v for k, v in json.loads(x).items() if k not in times} for x in lines]
        results[name] = rows
    assert len(results["folder"]) == 2 and results["folder"] == results["dataset"]


def test_a_dataset_that_is_not_there_or_was_changed_is_one_line(tmp_path: Path) -> None:
    import pandas

    home = {"HF_HOME": str(tmp_path / "hf"), "HF_HUB_OFFLINE": "1"}
    done = seambench("run", f"tasks.source=hf:{tmp_path / 'none'}", **home)
    assert done.returncode == 2 and "tasks.source" in done.stderr
    place = tmp_path / "tasks"
    shutil.copytree(TALLY, place / "rename" / "tally_ledger")
    target = tmp_path / "set"
    assert seambench("export", "tasks", "--to", str(target), "--tasks", str(place)).returncode == 0
    frame = pandas.read_parquet(target / "dev.parquet")
    frame["hash"] = "0" * 64
    frame.to_parquet(target / "dev.parquet")
    done = seambench("run", f"tasks.source=hf:{target}", **home)
    assert done.returncode == 2 and "does not have the hash" in done.stderr
