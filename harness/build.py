"""Live objects from a configuration: tasks, model, gateway, sandbox, run folder."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from functools import lru_cache
from pathlib import Path

from harness.cell import Environment
from harness.config import config_folder, project_folder
from harness.errors import UserError, WorkspaceError
from harness.exchange import import_tasks
from harness.gateway.server import Gateway
from harness.model import Model, ModelSpec
from harness.rubric import load_rubric
from harness.sandbox import Sandbox, find_sandbox
from harness.settings import Config, ModelConfig
from harness.store import RunFolder
from harness.tape import Replay, Same, Tape
from harness.tasks import LoadedTask, find_tasks, load_task
from harness.text import nearest
from harness.worker.backend import WorkerBackend, handle
from harness.worker.policy import Parameters

LOADERS = 4
NOBODY = "http://127.0.0.1:9/v1"
"""Stands where an address must be and nobody is asked."""


def search_path(places: Sequence[str]) -> list[Path]:
    """Folders of tasks; relative ones are looked up from here, then in the project."""
    found = []
    for place in places:
        path = Path(place).expanduser()
        path = path if path.is_absolute() or path.is_dir() else project_folder() / path
        if not path.is_dir():
            raise UserError(f"tasks.path: no folder {path}")
        found.append(path)
    return found


def chosen_tasks(config: Config, warn: Callable[[str], None]) -> list[LoadedTask]:
    """The tasks of a configuration, loaded. One that cannot be run here is told and left out.

    Raises UserError where a named task is unknown or none is left.
    """
    from_folders = config.tasks.source is None
    tasks = _from_folders(config, warn) if from_folders else _from_dataset(config)
    if config.model.kind == "worker":
        for loaded in tasks:
            if not loaded.task.is_full:
                warn(f"{loaded.task.id} is left out: a basic fixture needs a real model")
        tasks = [loaded for loaded in tasks if loaded.task.is_full]
    tasks = [loaded for loaded in tasks if loaded.task.split in config.study.splits]
    if not tasks:
        where = config.tasks.source or ", ".join(config.tasks.path)
        raise UserError(f"no task left to run of {', '.join(config.families)} in {where}")
    return tasks


def _from_folders(config: Config, warn: Callable[[str], None]) -> list[LoadedTask]:
    found = find_tasks(search_path(config.tasks.path))
    return _load([found[name] for name in _chosen(config, list(found))], warn)


def _load(roots: Sequence[Path], warn: Callable[[str], None]) -> list[LoadedTask]:
    """Load fixtures side by side, since some fetch their source; in the given order."""

    def one(root: Path) -> LoadedTask | WorkspaceError:
        try:
            return load_task(root)
        except WorkspaceError as error:
            return error

    with ThreadPoolExecutor(LOADERS) as pool:
        loaded = list(pool.map(one, roots))
    for root, result in zip(roots, loaded, strict=True):
        if isinstance(result, WorkspaceError):
            warn(f"{root.parent.name}/{root.name} is left out: {result}")
    return [result for result in loaded if isinstance(result, LoadedTask)]


def _from_dataset(config: Config) -> list[LoadedTask]:
    kind, _, name = str(config.tasks.source).partition(":")
    if kind != "hf" or not name:
        raise UserError(f"tasks.source: expected hf:<folder or hub name>, not {kind!r}")
    tasks = {loaded.task.id: loaded for loaded in import_tasks(name)}
    return [tasks[name] for name in _chosen(config, list(tasks))]


def _chosen(config: Config, found: Sequence[str]) -> list[str]:
    """Ids of the chosen families, narrowed to `tasks.only`."""
    names = [name for name in found if name.split("/")[0] in config.families]
    if config.tasks.only is None:
        return names
    for name in config.tasks.only:
        if name not in found:
            raise UserError(f"tasks.only: no {name!r}; nearest: {nearest(name, found)}")
        if name not in names:
            told = ", ".join(config.families)
            raise UserError(f"tasks.only: {name} is not of the chosen family ({told})")
    return [name for name in names if name in config.tasks.only]


def all_tasks(places: Sequence[str], warn: Callable[[str], None]) -> list[LoadedTask]:
    """Every task of a search path that can be loaded."""
    return _load(list(find_tasks(search_path(places)).values()), warn)


def model_name(template: str, loaded: LoadedTask, seed: int, *, prefix: bool) -> str:
    """A model name; `{handle}` becomes the worker's opaque name of the task."""
    return template.replace("{handle}", handle(loaded.hash, seed, detours=prefix))


@lru_cache(maxsize=4)
def sandbox_here(prefer: str) -> Sandbox:
    """The sandbox of this process, found once: looking costs a run of the interpreter."""
    return find_sandbox(prefer)


def worker_backend(tasks: Sequence[LoadedTask], habits: Parameters | None = None) -> WorkerBackend:
    """The backend that serves the reference worker for these tasks."""
    skills = {loaded.hash: loaded.task for loaded in tasks}
    return WorkerBackend(skills, habits, {loaded.hash: loaded.files for loaded in tasks})


@contextlib.asynccontextmanager
async def environment(
    config: Config,
    tasks: Sequence[LoadedTask],
    run: RunFolder,
    on_event: Callable[[str, str], None],
) -> AsyncIterator[Environment]:
    """Everything that the trials of a run share; starts the worker's gateway where it is needed."""
    async with contextlib.AsyncExitStack() as stack:
        base_url = config.model.base_url
        if config.model.replay:
            base_url = base_url or NOBODY
        elif config.model.kind == "worker":
            habits = Parameters(**config.model.habits) if config.model.habits else None
            gateway = Gateway(worker_backend(tasks, habits))
            base_url = await gateway.start()
            stack.push_async_callback(gateway.stop)
        if base_url is None:
            raise UserError("model.base_url: must be given for this model")
        same = _what_counts(config)
        model = Model(model_spec(config.model, base_url), tape=tape_of(config.model, same))
        model.open()
        stack.push_async_callback(model.close)
        others = {}
        for role in ("summariser", "extractor"):
            if other := getattr(config, role):
                others[role] = _other_model(other, role, same)
                stack.push_async_callback(others[role].close)
        yield Environment(
            config=config,
            rubric=load_rubric(config_folder() / "rubric" / f"{config.rubric}.yaml"),
            model=model,
            namer=lambda loaded, seed, *, prefix: model_name(
                config.model.name, loaded, seed, prefix=prefix
            ),
            sandbox=sandbox_here(config.run.sandbox),
            run=run,
            on_event=on_event,
            **others,
        )


def _other_model(config: ModelConfig, role: str, same: Same | None) -> Model:
    address = config.base_url or (NOBODY if config.replay else None)
    if address is None:
        raise UserError(f"{role}.base_url: must be given for this model")
    return Model(model_spec(config, address), tape=tape_of(config, same))


def model_spec(model: ModelConfig, base_url: str) -> ModelSpec:
    """A configured model at an address."""
    return ModelSpec(
        name=model.name,
        base_url=base_url,
        key_env=model.key_env,
        timeout_s=model.timeout_s,
        temperature=model.temperature,
        max_output=model.max_output,
        retries=model.retries,
        prices=model.prices,
        headers=model.headers,
        headers_env=model.headers_env,
        api=model.api,
        tools=model.tools,
        tool_choice=model.tool_choice,
        effort=model.effort,
        window=model.window,
    )


def _what_counts(config: Config) -> Same | None:
    """What of a request is compared with a tape; None for all of it."""
    if config.agent.kind != "codex":
        return None
    from harness.codex.tools import steady

    return steady


def tape_of(model: ModelConfig, same: Same | None = None) -> Tape | Replay | None:
    """The tape of a model's configuration: to record on, or to replay. same: see harness.tape."""
    if model.tape is None:
        return None
    path = Path(model.tape).expanduser()
    if model.replay:
        return Replay(path, same)
    if model.kind == "local":  # its file and its port are of this machine and this run
        model = replace(model, kind="endpoint", base_url=NOBODY, path=None, server=None)
    told = {k: v for k, v in asdict(model).items() if k not in ("tape", "replay")}
    return Tape(path, told, same)
