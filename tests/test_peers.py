"""The side-by-side benchmark measures what it says: the agreed work, and only that."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).parent / "benchmarks"


@pytest.fixture
def peers(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("peers")


def noted(turns: int = 11, seen: bool = True) -> list[dict]:
    return [
        {"key": "sample-0", "turn": n + 1, "came": n, "went": n + 0.25, "seen": seen}
        for n in range(turns)
    ]


def test_gaps_are_from_an_answer_to_the_next_request(peers: ModuleType) -> None:
    warm = {"key": "warm-0", "turn": 1, "came": -9.0, "went": -8.0, "seen": True}
    assert peers.gaps_ms([warm, *noted()], 1) == [750.0] * 10


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        (noted(turns=9), "turns"),
        (noted(seen=False), "README.md"),
        ([*noted(), noted()[3]], "turns"),
        ([], "0 samples"),
    ],
    ids=["ended early", "result not shown", "asked twice", "never came"],
)
def test_other_work_is_not_measured(peers: ModuleType, entries: list[dict], told: str) -> None:
    with pytest.raises(peers.Failed, match=told):
        peers.gaps_ms(entries, 1)


@pytest.mark.slow
def test_our_own_side_runs_alone(tmp_path: Path) -> None:
    out = tmp_path / "peers.json"
    command = [sys.executable, str(BENCHMARKS / "peers.py"), "--only=seambench, plain"]
    command += ["--rounds=1", "--samples=1", "--concurrency=1", f"--out={out}"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    found = json.loads(out.read_text(encoding="utf-8"))
    assert {(run["work"], len(run["gaps_ms"])) for run in found["runs"]} == {
        ("command", 20),
        ("read", 10),
    }
    assert "| seambench, plain |" in done.stdout and "inspect-ai" not in done.stdout
