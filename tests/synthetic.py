"""Synthetic records for tests: shaped like `harness.types.Record`, made from a seed."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.config import config_folder
from harness.rubric import load_rubric

ITEMS = ("constraints", "file_paths", "subgoals", "naming", "no_reask", "context")
HIGH = ("constraints", "file_paths", "subgoals")
MODES = {
    "constraints": "constraint_lost",
    "file_paths": "wrong_file",
    "subgoals": "repeated_step",
    "naming": "naming_drift",
    "no_reask": "reask",
    "context": "plan_reversed",
}
FAMILIES = ("rename", "migrate", "bugfix", "feature")
ARMS = ("bare", "long_mem", "engram")
TIMINGS = ("early", "mid", "late", "end")
KINDS = ("constraint", "path", "naming", "progress", "decision", "environment")


def record(task: str = "task_00", arm: str = "bare", **changes: Any) -> dict[str, Any]:
    """One scored record in which everything passed; `failed=[items]` makes items fail.

    Other keyword arguments replace fields; a value of ... removes the field.
    """
    failed = tuple(changes.pop("failed", ()))
    timing = changes.get("timing", "mid")
    draws = [changes.get(f"{name}_draw", 0) for name in ("prefix", "compaction", "continuation")]
    repeat = changes.get("repeat", 0)
    prefix = f"{task}-{timing}-{repeat}-{draws[0]}"
    window = _window(failed)
    base: dict[str, Any] = {
        "schema_version": 1,
        "harness_version": "0.1.0",
        "trial_id": f"{task}.{arm}.{timing}.{repeat}.{'.'.join(map(str, draws))}",
        "run_id": "run",
        "study": None,
        "task": task,
        "family": "rename",
        "codebase": f"{task}-base",
        "split": "test",
        "language": "en",
        "arm": arm,
        "strategy": arm.split("[")[0],
        "addons": [],
        "options": {},
        "budget": {"planned": 2000, "used": 900},
        "sandbox": "plain",
        "model": "reference",
        "model_fingerprint": None,
        "agent": "worker",
        "simulated": True,
        "repeat": repeat,
        "timing": timing,
        "seam": {"index": 1, "turn": 9, "offset": 1, "done": ["a", "b"], "open": ["c"]},
        "prefix_draw": draws[0],
        "compaction_draw": draws[1],
        "continuation_draw": draws[2],
        "prefix_hash": prefix,
        "prefix_kind": "shared",
        "noop": False,
        "status": "scored",
        "reason": None,
        "continued": window["continued"],
        "continued_strict": window["continued_strict"],
        "windows": {name: _window(failed) for name in ("registered", "extended", "from_seam")},
        "facts": [_fact(kind, number, failed) for number, kind in enumerate(KINDS)],
        "first_response": "works",
        "plan_kept": True,
        "turns_to_resume": None if "subgoals" in failed else 2,
        "turns_followed": 15,
        "tokens_reread": 800,
        "completed": None,
        "tokens": {
            phase: {"input": 4000, "cached": 1000, "output": 300}
            for phase in ("prefix", "compaction", "window", "after")
        },
        "view_tokens": {
            "before": 9000,
            "after": 1500,
            "summary": 400,
            "card": 200 if arm == "engram" else None,
            "injected": None,
        },
        "cost_usd": None,
        "seconds": {"window": 0.5},
        "attempts": [{"at": "2026-01-01T00:00:00Z"}],
        "started_at": "2026-01-01T00:00:00Z",
        "task_hash": "t" * 64,
        "rubric_version": "continuity_v1",
        "rubric_hash": "r" * 64,
    }
    base |= changes
    return {name: value for name, value in base.items() if value is not ...}


def lost(task: str, arm: str, status: str, reason: str, **changes: Any) -> dict[str, Any]:
    """A record that was not scored."""
    names = ["continued", "continued_strict", "windows", "plan_kept", "turns_to_resume", "noop"]
    names += ["turns_followed", "tokens_reread", "tokens", "view_tokens", "first_response"]
    blank = dict.fromkeys(names)
    return record(
        task, arm, **(blank | {"facts": [], "status": status, "reason": reason} | changes)
    )


def study(
    n_tasks: int = 12,
    arms: Sequence[str] = ARMS,
    timings: Sequence[str] = TIMINGS,
    rates: Mapping[str, float] | None = None,
    seed: int = 0,
    **changes: Any,
) -> list[dict[str, Any]]:
    """A full design. rates: arm -> chance that a trial has no failed item (0.6 if not named).

    Tasks differ in difficulty, and in how much each arm helps on them.
    """
    draw = random.Random(seed)
    records = []
    for number in range(n_tasks):
        task = f"task_{number:02d}"
        ease = draw.gauss(0, 0.08)
        help_by = {arm: draw.gauss(0, 0.08) for arm in arms}
        fields = {"family": FAMILIES[number % 4], "codebase": f"base_{number // 3}"}
        for timing in timings:
            for arm in arms:
                chance = (rates or {}).get(arm, 0.6) + ease + help_by[arm]
                failed = [] if draw.random() < chance else draw.sample(ITEMS[:5], 1)
                records.append(
                    record(task, arm, timing=timing, failed=failed, **(fields | changes))
                )
    return records


def write(path: Path, records: Sequence[Mapping[str, Any]]) -> Path:
    """A records.jsonl."""
    lines = [json.dumps(r, ensure_ascii=False) + "\n" for r in records]
    path.write_text("".join(lines), encoding="utf-8")
    return path


def write_lock(folder: Path, seams: int = 1) -> None:
    """Of a run's lock.json what its report needs."""
    rubric = load_rubric(config_folder() / "rubric" / "continuity_v1.yaml")
    lock = {"rubric": "continuity_v1", "rubric_hash": rubric.hash, "seam": {"count": seams}}
    (folder / "lock.json").write_text(json.dumps(lock), encoding="utf-8")


def _window(failed: Sequence[str]) -> dict[str, Any]:
    items = {
        item: {
            "passed": item not in failed,
            "exercised": item in failed or item in HIGH,
            "evidence": [_evidence(item)] if item in failed else [],
        }
        for item in ITEMS
    }
    return {
        "continued": not set(failed) & set(HIGH),
        "continued_strict": not set(failed) & set(ITEMS[:5]),
        "items": items,
        "failure_modes": sorted(MODES[item] for item in failed),
        "interventions": int("no_reask" in failed),
        "turns": [10, 11, 12],
    }


def _evidence(item: str) -> dict[str, Any]:
    return {
        "turn": 10,
        "where": "pkg/a.py:3",
        "what": "import of a banned module",
        "fact": "f1",
        "mode": MODES[item],
    }


def _fact(kind: str, number: int, failed: Sequence[str]) -> dict[str, Any]:
    item = {"constraint": "constraints", "path": "file_paths", "naming": "naming"}.get(kind)
    broken = item in failed
    return {
        "id": f"f{number}",
        "kind": kind,
        "loss": None,
        "present": not broken and number != 5,
        "exposed": number < 4,
        "obeyed": not broken if number < 4 else None,
        "stated_turn": number,
        "mentions": 1,
        "age_tokens": 500 * number,
    }
