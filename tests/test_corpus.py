"""The corpus: every fixture admitted, spread as registered, test fixtures frozen."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from harness.sources import fetch_source
from harness.spread import repeated_sentences, tasks_by_loss
from harness.task_model import Task
from harness.tasks import find_tasks, load_task, parse_task, read_yaml

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = find_tasks([ROOT / "tasks"])


@pytest.fixture(scope="module")
def tasks() -> list[Task]:
    """All tasks, without their sources."""
    return [parse_task(read_yaml(root / "task.yaml"), str(root), root) for root in FOLDERS.values()]


def seambench(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "harness", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")


def test_thirty_six_tasks_over_families_splits_and_codebases(tasks: list[Task]) -> None:
    assert Counter(t.family.value for t in tasks) == {
        family: 9 for family in ("rename", "migrate", "bugfix", "feature")
    }
    assert Counter(t.split for t in tasks) == {"dev": 12, "test": 24}
    assert len({t.codebase for t in tasks}) >= 12
    assert len({t.codebase for t in tasks if t.source}) >= 7
    dev = {t.codebase for t in tasks if t.split == "dev"}
    assert not dev & {t.codebase for t in tasks if t.split == "test"}


def test_conversations_and_losses_are_spread(tasks: list[Task]) -> None:
    assert sum(t.language == "zh" for t in tasks) >= 12
    assert min(tasks_by_loss(tasks).values()) >= 6
    assert sum(any(fact.supersedes for fact in t.facts) for t in tasks) >= 12
    assert repeated_sentences(tasks) == []
    assert all(10 <= len(t.subgoals) <= 14 and t.is_full for t in tasks)


def test_one_codebase_is_not_python() -> None:
    for name in ("rename/kiosk_cart", "migrate/kiosk_events", "bugfix/kiosk_totals"):
        files = {path.suffix for path in (FOLDERS[name] / "repo").rglob("*") if path.is_file()}
        assert ".ts" in files and ".py" not in files


def test_the_test_split_is_frozen() -> None:
    """A correction of a frozen task is a new hash in FROZEN.json and a line that says why."""
    frozen = json.loads((ROOT / "tasks" / "FROZEN.json").read_text(encoding="utf-8"))
    found = {}
    for name, root in FOLDERS.items():
        if name in frozen["tasks"]:
            found[name] = load_task(root).hash
    assert found == frozen["tasks"] and len(found) == 24


@pytest.mark.slow
def test_all_are_admitted_in_all_four_bands() -> None:
    done = seambench("validate")
    assert done.returncode == 0, done.stdout
    assert "36 of 36 fixtures admitted in all four bands" in done.stdout


def test_strays_are_judged_and_reported() -> None:
    done = seambench("validate", "--strays")
    assert done.returncode == 0, done.stderr
    last = done.stdout.splitlines()[-1]
    assert last.startswith("strays: ") and last.endswith(" agree")
    assert int(last.split(" of ")[1].split()[0]) >= 40


def test_a_source_with_another_hash_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEAMBENCH_CACHE", str(tmp_path))
    archive = tmp_path / "sdists" / "thing-1.0.tar.gz"
    archive.parent.mkdir(parents=True)
    archive.write_bytes(b"not what was pinned")
    with pytest.raises(Exception, match=r"has sha256 .* expected 00"):
        fetch_source("thing==1.0", "00" * 32)
