"""Which module may know which: read from the source of all modules, and seen in real imports."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
BLIND = ("harness.strategies", "harness.extract", "harness.gateway")
ANSWERS = ("harness.tasks", "harness.task_model", "harness.controls", "harness.admission")
WORKER = "harness.worker"
HEAVY = ("pandas", "matplotlib", "datasets", "openai", "hydra", "aiohttp", "pydantic")


def modules() -> dict[str, Path]:
    """Name of every module of the program -> its file."""
    found = {}
    for package in ("harness", "analysis"):
        for path in sorted((PROJECT / package).rglob("*.py")):
            parts = path.relative_to(PROJECT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def named(module: str, path: Path) -> Iterator[str]:
    """Every dotted name that a module imports, wherever in its text; relative ones resolved."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")
            above = above[: len(above) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


@cache
def graph() -> Mapping[str, frozenset[str]]:
    """Module -> modules of the program that it imports, and other packages by their first name."""
    known = modules()
    return {module: frozenset(targets(module, path, known)) for module, path in known.items()}


def targets(module: str, path: Path, known: Mapping[str, Path]) -> Iterator[str]:
    for name in named(module, path):
        inside = [part for part in (name, name.rpartition(".")[0]) if part in known]
        if inside:
            yield inside[0]
        elif name.split(".")[0] not in ("harness", "analysis"):
            yield name.split(".")[0]


def loads(module: str) -> set[str]:
    """Everything that comes with a module: what it imports, and the packages above, in turn."""
    reached: set[str] = set()
    todo = [module]
    while todo:
        name = todo.pop()
        if name in reached:
            continue
        reached.add(name)
        todo.extend(graph().get(name, ()))
        if name in graph() and "." in name:
            todo.append(name.rpartition(".")[0])
    return reached


def within(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(package + ".") for package in packages)


def test_the_graph_is_the_program() -> None:
    assert len(graph()) > 50
    assert "harness.checks" in graph()["harness.scorer"]
    assert "harness.workspace" in graph()["harness.tools"]  # a relative import
    assert "harness.admission.report" in graph()["harness.admission"]
    assert "harness.admission" in graph()["harness.cli"]  # an import within a function
    assert "harness.sandbox" in loads("harness.transcript")
    assert {"pydantic", "harness.strategies"} <= loads("harness.controls")


def test_analysis_knows_only_records() -> None:
    allowed = {"harness.types", "harness.store", "harness.errors"}
    for module, imported in graph().items():
        if within(module, ("analysis",)):
            known = {name for name in imported if within(name, ("harness",))}
            assert known <= allowed, module


@pytest.mark.parametrize("other", ["harness.agent", "harness.strategies"])
def test_the_scorer_knows_no_agent_and_no_strategy(other: str) -> None:
    assert not [name for name in loads("harness.scorer") if within(name, (other,))]


@pytest.mark.parametrize("module", [name for name in modules() if within(name, BLIND)])
def test_whoever_makes_a_view_never_sees_a_task(module: str) -> None:
    assert not [name for name in loads(module) if within(name, (*ANSWERS, WORKER))]


def test_only_config_knows_hydra() -> None:
    users = {m for m, imported in graph().items() if imported & {"hydra", "omegaconf"}}
    assert users == {"harness.config"}


def test_no_module_is_imported_in_a_circle() -> None:
    state: dict[str, str] = {}

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert state.get(module) != "open", " -> ".join([*path, module])
        if module in graph() and module not in state:
            state[module] = "open"
            for other in sorted(graph()[module]):
                visit(other, (*path, module))
            state[module] = "closed"

    for module in sorted(graph()):
        visit(module, ())
    assert state.keys() == graph().keys()


def loaded_by(*names: str) -> set[str]:
    """Modules that a fresh process holds after the imports."""
    code = f"import sys, json, {', '.join(names)}; print(json.dumps(list(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout))


def test_the_command_line_starts_light() -> None:
    loaded = loaded_by("harness.cli")
    assert "harness.cli" in loaded
    assert not loaded & set(HEAVY)


def test_a_process_that_makes_views_has_loaded_no_task() -> None:
    loaded = loaded_by(*BLIND)
    assert set(BLIND) <= loaded
    assert not [name for name in loaded if within(name, (*ANSWERS, WORKER))]
