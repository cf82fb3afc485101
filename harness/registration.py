"""Registering a study: all that could change its outcome, under one digest, beforehand."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from harness import user
from harness.agent import SYSTEM_PROMPT
from harness.cell import Cell
from harness.config import Config
from harness.controls import PLACEBO
from harness.errors import UserError
from harness.rubric import Rubric
from harness.store import RunFolder, differences, write_atomic
from harness.strategies import strategy_class
from harness.strategies.base import SUMMARY_PROMPT
from harness.tasks import LoadedTask
from harness.text import digest
from harness.tools import schemas
from harness.types import CONTROLS, ITEMS

ANALYSIS_VERSION = "1"
STOPPING_RULE = (
    "Everything planned is run; where fewer than `valid` records of strategies are scored, reserve "
    "seams of the cells with invalid trials are run in the plan's order until it is reached. No "
    "outcome by strategy is shown before."
)


def registration(
    config: Config, cells: Sequence[Cell], tasks: Sequence[LoadedTask], rubric: Rubric
) -> dict[str, Any]:
    """What a study consists of. Two studies with the same parts have the same digest."""
    arms = {arm.label: arm for cell in cells for arm in cell.arms}
    parts = {
        "study": config.study.name,
        "hypotheses": config.study.hypotheses,
        "analysis_version": ANALYSIS_VERSION,
        "stopping_rule": STOPPING_RULE,
        "valid": config.study.valid,
        "seed": config.study.seed,
        "rubric": rubric.hash,
        "items": list(ITEMS),
        "tasks": {loaded.task.id: loaded.hash for loaded in tasks},
        "arms": {
            label: {
                "options": dict(arm.options),
                "code": _code_of(arm.name, arm.import_path),
            }
            for label, arm in sorted(arms.items())
        },
        "prompts": {
            "agent": digest(SYSTEM_PROMPT),
            "summary": digest(SUMMARY_PROMPT),
            "user": digest(user.NEUTRAL),
            "placebo": digest(PLACEBO),
            "tools": digest(schemas(config.plan_tool)),
        },
        "configuration": config.identity(),
        "plan": digest([[cell.key, sorted(arm.label for arm in cell.arms)] for cell in cells]),
        "trials": sum(len(cell.arms) for cell in cells),
    }
    return json.loads(json.dumps(parts))


def _code_of(name: str, import_path: str | None) -> str:
    """Digest of the source file of a strategy; controls are covered by their own prompts."""
    if name in CONTROLS:
        return digest(name)
    source = inspect.getsourcefile(strategy_class(name, import_path))
    return digest(Path(source).read_bytes()) if source else digest(name)


def register(run: RunFolder, parts: Mapping[str, Any]) -> str:
    """Write registration.json and return its digest. The same parts again change nothing.

    Raises UserError where another study is registered in this folder.
    """
    path = run.root / "registration.json"
    if path.exists():
        require_registered(run, parts)
        return digest(parts)
    run.root.mkdir(parents=True, exist_ok=True)
    told = datetime.now(UTC).isoformat(timespec="seconds")
    data = {"digest": digest(parts), "registered_at": told, "parts": parts}
    write_atomic(path, json.dumps(data, ensure_ascii=False, indent=1).encode("utf-8"))
    return digest(parts)


def require_registered(run: RunFolder, parts: Mapping[str, Any]) -> None:
    """Raises UserError where the study was not registered, or where a part of it has changed."""
    path = run.root / "registration.json"
    if not path.exists():
        raise UserError(
            f"{path}: this study is not registered; first: seambench register (same arguments)"
        )
    kept = json.loads(path.read_text(encoding="utf-8"))
    changed = differences(kept["parts"], parts)
    if changed:
        raise UserError(
            f"{path}: changed since it was registered: {'; '.join(changed[:6])}. Undo it, or "
            "register a new version under another run.name"
        )
    if kept["digest"] != digest(kept["parts"]):
        raise UserError(f"{path}: edited by hand: its parts do not have its digest")
