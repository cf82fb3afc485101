"""What does not fit the model, before, at and after the seam: an outcome, never an error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fixtures import write_fixture
from runs import run_here
from scripted import play, run

from analysis.records import by_source
from harness import tokens
from harness.tools import schemas


async def by_arm(place: Path, *overrides: str) -> dict[str, dict[str, Any]]:
    given = [
        *(f"tasks.path=[{place / 'tasks'}]", "family=rename", "strategy=bare", "seam=mid"),
        *("study.controls=[full]", f"run.results={place}"),
    ]
    folder, _ = await run_here(*given, *overrides)
    return {record["strategy"]: dict(record) for record in folder.records()}


async def test_overflow_before_the_seam_is_of_no_arm(tmp_path: Path) -> None:
    write_fixture(tmp_path / "tasks")
    found = await by_arm(tmp_path, "run.name=before", "model.window=1500")
    told = {(r["status"], r["reason"]) for r in found.values()}
    assert told == {("invalid", "overflow_before_seam")}


@pytest.mark.slow
async def test_overflow_at_and_after_the_seam_is_an_outcome(tmp_path: Path) -> None:
    write_fixture(tmp_path / "tasks")
    roomy = await by_arm(tmp_path, "run.name=roomy")
    asked = roomy["full"]["view_tokens"]["before"] + tokens.count(json.dumps(schemas()))
    tight = f"model.window={asked - 1}"
    found = await by_arm(tmp_path, "run.name=tight", tight)
    assert {r["status"] for r in found.values()} == {"scored"}
    assert found["full"]["reason"] == "context_overflow"
    assert found["full"]["turns_followed"] == 0 and not found["full"]["continued"]
    assert found["full"]["model"] is None and found["full"]["simulated"]  # nobody answered
    assert [source.model for source in by_source(list(found.values()))] == ["worker"]
    assert found["bare"]["reason"] is None and found["bare"]["turns_followed"] > 0
    # A long summary is asked for beside the whole history: nobody can sum it up.
    wide = await by_arm(tmp_path, "run.name=wide", tight, "budget.summary_share=0.9")
    assert wide["bare"]["noop"] and "summary_overflow" in wide["bare"]["notes"]
    assert (wide["bare"]["status"], wide["bare"]["reason"]) == ("scored", "context_overflow")


@pytest.mark.parametrize("in_prefix", [False, True])
async def test_a_command_stopped_by_the_clock_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_prefix: bool
) -> None:
    write_fixture(tmp_path / "tasks")
    monkeypatch.setattr("harness.tools.TIMEOUT_S", 1.0)
    script = [run("sleep 60"), run("true; sleep 61"), None]
    played = await play(tmp_path, tmp_path / "tasks", script, in_prefix=in_prefix)
    counts = dict(note.split(":") for note in played.record["notes"] if "timed_out" in note)
    # More than the two where the machine is slow.
    assert int(counts["prefix_command_timed_out" if in_prefix else "command_timed_out"]) >= 2
    assert in_prefix or "prefix_command_timed_out" not in counts
    assert played.record["status"] == "scored"
