"""Task fixtures: finding, loading, hashing. The shape of task.yaml is in task_model.py.

A fixture is a folder `tasks/<family>/<name>/` with `task.yaml` and `repo/` (or `source`, see
sources.py), and optionally `steps/` (long file contents) and `completion/` (hidden tests).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import ConfigDict, ValidationError

from harness.errors import TaskError
from harness.skeleton import placeholders
from harness.sources import source_files
from harness.task_model import Model, Task
from harness.text import digest, nearest

MAX_FILE_BYTES = 2_000_000


class LoadedTask(Model):
    """A task with its files: what a run needs. `hash` covers both. `hidden`: completion/."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)

    task: Task
    files: dict[str, bytes]
    hidden: dict[str, bytes]

    @cached_property
    def hash(self) -> str:
        """SHA-256 over the resolved task and the content of every file."""
        files = {path: digest(data) for path, data in self.files.items()}
        hidden = {path: digest(data) for path, data in self.hidden.items()}
        return digest({"task": self.task.model_dump(mode="json"), "files": files, "hidden": hidden})

    @cached_property
    def texts(self) -> dict[str, str]:
        """The codebase as text, as checks read it."""
        return {path: data.decode("utf-8", "replace") for path, data in self.files.items()}


def find_tasks(search: Sequence[Path]) -> dict[str, Path]:
    """Task id -> folder, over every `<family>/<name>/task.yaml` below the search path.

    Raises TaskError where two folders hold the same `<family>/<name>`.
    """
    found: dict[str, Path] = {}
    for place in search:
        for yaml_path in sorted(place.glob("*/*/task.yaml")):
            name = f"{yaml_path.parent.parent.name}/{yaml_path.parent.name}"
            if name in found:
                raise TaskError(f"{yaml_path}: {name} is also in {found[name]}; rename one of them")
            found[name] = yaml_path.parent
    return found


def load_task(root: Path) -> LoadedTask:
    """Read and check a fixture folder.

    Raises TaskError (one line: file, key, what was expected) for whatever is wrong with it, and
    WorkspaceError where its pinned source cannot be had.
    """
    path = root / "task.yaml"
    task = parse_task(read_yaml(path), str(path), root)
    expected = f"{root.parent.name}/{root.name}"
    if task.id != expected or task.family != root.parent.name:
        raise TaskError(f"{path}: id: expected {expected} (the folder), found {task.id}")
    files: dict[str, bytes] = {}
    if task.source:
        files.update(source_files(task.source.sdist, task.source.sha256, task.source.keep))
    files.update(read_tree(root / "repo"))
    if not files:
        raise TaskError(f"{path}: expected a codebase in {root / 'repo'} or a source")
    return LoadedTask(task=task, files=files, hidden=read_tree(root / "completion"))


def parse_task(data: Any, where: str, root: Path | None = None) -> Task:
    """Task from the content of a task.yaml. Raises TaskError naming `where` and the key."""
    if not isinstance(data, dict):
        raise TaskError(f"{where}: expected a mapping of keys, found {type(data).__name__}")
    if root is not None:
        data = _with_contents(data, root, where)
    try:
        task = Task.model_validate(data)
    except ValidationError as error:
        raise TaskError(_first_error(error, where)) from None
    _check_references(task, where)
    return task


def read_tree(folder: Path) -> dict[str, bytes]:
    """Relative path -> content of every file. Raises TaskError for links that leave the folder."""
    files = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if "__pycache__" in name or not (path.is_file() or path.is_symlink()):
            continue
        if path.is_symlink() and not path.resolve().is_relative_to(folder.resolve()):
            raise TaskError(f"{path}: a link out of its folder; put the file itself there")
        if not path.is_file():
            raise TaskError(f"{path}: a link to no file; put the file itself there")
        if path.stat().st_size > MAX_FILE_BYTES:
            raise TaskError(f"{path}: larger than {MAX_FILE_BYTES} bytes; leave it out")
        files[name] = path.read_bytes()
    return files


def read_yaml(path: Path) -> Any:
    """Content of a YAML file. Raises TaskError (one line) where it cannot be read."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise TaskError(f"{path}: cannot be read as UTF-8 text: {error}") from None
    if blanks := placeholders(text):
        raise TaskError(f"{path}: still to be filled in: {', '.join(blanks)}")
    try:
        return yaml.load(text, Loader=_UniqueKeys)
    except yaml.YAMLError as error:
        raise TaskError(f"{path}: not YAML: {' '.join(str(error).split())}") from None


class _UniqueKeys(yaml.CSafeLoader):
    """YAML whose mappings may not give a key twice (the second would win without a word)."""

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        keys = [key.value for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.YAMLError(f"the key {key!r} is given twice{node.start_mark}")
        return super().construct_mapping(node, deep=deep)


def _with_contents(value: Any, root: Path, where: str) -> Any:
    """The same data with every `content_from: steps/x` replaced by the file's content."""
    if isinstance(value, list):
        return [_with_contents(part, root, where) for part in value]
    if not isinstance(value, dict):
        return value
    value = {key: _with_contents(part, root, where) for key, part in value.items()}
    if "content_from" in value and "content" not in value:
        source = root / str(value.pop("content_from"))
        if not source.resolve().is_relative_to(root.resolve()) or not source.is_file():
            raise TaskError(f"{where}: content_from: no file {source}")
        try:
            value["content"] = source.read_bytes().decode("utf-8")
        except UnicodeDecodeError as error:
            raise TaskError(f"{source}: cannot be read as UTF-8 text: {error}") from None
    return value


def _first_error(error: ValidationError, where: str) -> str:
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] != "extra_forbidden":
        return f"{where}: {key}: {first['msg']}"
    model: Any = Task
    for part in first["loc"][:-1]:
        if isinstance(part, str) and part in model.model_fields:
            model = _model_in(model.model_fields[part].annotation) or model
    near = nearest(str(first["loc"][-1]), model.model_fields)
    return f"{where}: {key}: unknown key; nearest: {near}"


def _model_in(annotation: Any) -> type[Model] | None:
    """The model within an annotation such as `list[list[Edit]] | None`."""
    if isinstance(annotation, type) and issubclass(annotation, Model):
        return annotation
    return next((m for a in get_args(annotation) if (m := _model_in(a))), None)


def _check_references(task: Task, where: str) -> None:
    subgoals = {subgoal.id for subgoal in task.subgoals}
    facts = {fact.id for fact in task.facts}
    detours = {f"detour:{detour.after}" for detour in task.detours}
    places = {"request", *(remark.id for remark in task.remarks), *detours}
    wanted: list[tuple[str, str | None, set[str]]] = []
    wanted += [(f"facts.{f.id}.stated_in", f.stated_in, places) for f in task.facts]
    wanted += [(f"facts.{f.id}.supersedes", f.supersedes, facts) for f in task.facts]
    wanted += [(f"remarks.{r.id}.after", r.after, subgoals) for r in task.remarks]
    wanted += [("detours.after", d.after, subgoals) for d in task.detours]
    wanted += [(f"subgoals.{s.id}.needs", n, facts) for s in task.subgoals for n in s.needs]
    wanted += [(f"alternatives.{a.id}.after", a.after, subgoals) for a in task.alternatives]
    for slip in task.slips:
        named = slip.subgoals if isinstance(slip.subgoals, list) else [slip.subgoal]
        wanted += [("slips.fact", slip.fact, facts)]
        wanted += [("slips.subgoal", name, subgoals) for name in named]
    if task.checks:
        wanted.append(("checks.fact", task.checks.fact, facts))
    for key, name, known in wanted:
        if name is not None and name not in known:
            raise TaskError(f"{where}: {key}: no {name!r}; nearest: {nearest(name, known)}")
    ids = [
        *(s.id for s in task.subgoals),
        *(f.id for f in task.facts),
        *(r.id for r in task.remarks),
    ]
    for name in ids:
        if ids.count(name) > 1:
            raise TaskError(f"{where}: the id {name!r} is used twice")
