"""Registering a study: all that could change its outcome, under one digest, beforehand."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from harness import user
from harness.agent import SYSTEM_PROMPT
from harness.cell import Arm, Cell
from harness.controls import PLACEBO
from harness.errors import UserError
from harness.rubric import Rubric
from harness.settings import Config
from harness.store import RunFolder, differences, write_atomic
from harness.strategies import addon_class, strategy_class
from harness.strategies.base import SUMMARY_PROMPT, Strategy
from harness.tasks import LoadedTask
from harness.text import digest
from harness.tools import schemas
from harness.types import CONTROLS, ITEMS

ANALYSIS_VERSION = "1"
PARTS = ("harness.strategies", "harness.extract")
"""Packages whose modules make up a strategy's code."""

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
        "hypotheses": config.study.hypotheses or {},
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
                "addons": [dict(addon) for addon in arm.addons],
                "code": _code_of(arm),
                "inputs": _inputs_of(arm),
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
        "trials": sum(len(cell.arms) * cell.seams for cell in cells),
    }
    return json.loads(json.dumps(parts))


def _code_of(arm: Arm) -> str:
    """Digest of the source of an arm's strategy and add-ons, with every module of `PARTS` that
    they import, in turn; controls are covered by their own prompts."""
    if arm.name in CONTROLS:
        return digest(arm.name)
    found: dict[str, bytes] = {}
    for kind, _ in _kinds(arm):
        source = inspect.getsourcefile(kind)
        if source:
            _read_code(kind.__module__, Path(source), found)
    return digest({module: digest(data) for module, data in found.items()})


def _inputs_of(arm: Arm) -> dict[str, str]:
    """Digests of the files that an arm's options name as read beforehand."""
    if arm.name in CONTROLS:
        return {}
    return {
        f"{kind.name}.{option}": digest(Path(options[option]).read_bytes())
        for kind, options in _kinds(arm)
        for option in kind.inputs
        if options.get(option)
    }


def _kinds(arm: Arm) -> list[tuple[type[Strategy], Mapping[str, Any]]]:
    """Classes of an arm, the strategy's first, each with the options given to it."""
    addons = [(addon_class(addon["name"]), addon) for addon in arm.addons]
    return [(strategy_class(arm.name, arm.import_path), arm.options), *addons]


def _read_code(module: str, path: Path, found: dict[str, bytes]) -> None:
    """Put a module's source into `found`, and that of what it imports of `PARTS`."""
    if module in found:
        return
    found[module] = path.read_bytes()
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for name in sorted(_imported(found[module], package)):
        if any(f"{name}.".startswith(f"{part}.") for part in PARTS):
            spec = importlib.util.find_spec(name)
            if spec and spec.origin:
                _read_code(name, Path(spec.origin), found)


def _imported(source: bytes, package: str) -> set[str]:
    """Modules that a source imports, wherever in its text; relative ones resolved."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            base = importlib.util.resolve_name(base, package) if node.level else base
            for alias in node.names:
                # `from package import module` needs the module, not the whole of the package.
                inside = f"{base}.{alias.name}"
                names.add(inside if _is_part(inside) else base)
    return names


def _is_part(name: str) -> bool:
    return name.rpartition(".")[0] in PARTS and importlib.util.find_spec(name) is not None


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
