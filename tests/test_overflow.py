"""What does not fit the model, before, at and after the seam: an outcome, never an error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from fixtures import write_fixture
from runs import run_here

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
