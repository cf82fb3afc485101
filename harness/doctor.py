"""`seambench doctor`: what a run needs here, each with what to do where it is missing."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from harness.config import load_config, project_folder
from harness.errors import SeambenchError
from harness.local_model import pinned, serving
from harness.settings import Config
from harness.terminal import echo

NEEDED_DISK_MB = 500

Finding = tuple[bool, str]
"""Whether all is well, and one line that says what was found or what to do."""


def doctor(overrides: Sequence[str]) -> int:
    """Print one line per check. Exit code 1 where something that a run needs is missing."""
    config, _ = load_config(overrides)
    checks: dict[str, Callable[[], Finding]] = {
        "python": _python,
        "git": _git,
        "sandbox": lambda: _sandbox(config),
        "tokens": _tokens,
        "disk": _disk,
    }
    if config.agent.kind == "codex":
        checks["codex"] = _codex
    failed = 0
    for name, check in checks.items():
        try:
            ok, told = check()
        except SeambenchError as error:
            ok, told = False, str(error)
        failed += not ok
        _say(name, ok, told)
    try:
        with serving(pinned(config), lambda text: _say("model", False, text)) as served:
            works = asyncio.run(_endpoint(served))
    except SeambenchError as error:
        works = False
        _say("model", False, str(error))
    return 1 if failed or not works else 0


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    return sys.version_info >= (3, 11), f"{version} (3.11 or newer is needed)"


def _git() -> Finding:
    path = shutil.which("git")
    if path is None:
        return False, "not found; install git"
    done = subprocess.run([path, "--version"], capture_output=True, encoding="utf-8", check=False)
    return done.returncode == 0, done.stdout.strip() or done.stderr.strip()


def _sandbox(config: Config) -> Finding:
    from harness.sandbox import find_sandbox

    sandbox = find_sandbox(config.run.sandbox)
    if sandbox.name == "plain":
        return True, f"none: commands run as you, unconfined ({sandbox.reason})"
    return True, sandbox.name


def _codex() -> Finding:
    from harness.codex.process import find_codex, version_of

    return True, f"Codex CLI {version_of(find_codex())}"


def _tokens() -> Finding:
    from harness import tokens

    found = tokens.count("hello 世界")
    return found > 0, f"counted offline (o200k): {found} for a sample"


def _disk() -> Finding:
    free = shutil.disk_usage(project_folder()).free // 2**20
    return free >= NEEDED_DISK_MB, f"{free} MB free, {NEEDED_DISK_MB} wanted"


async def _endpoint(config: Config) -> bool:
    """Try the configured model and say what works; whether the agent loop does."""
    from harness.build import chosen_tasks, environment
    from harness.model import Model
    from harness.probe import Probe
    from harness.store import RunFolder

    if config.model.replay:
        _say("model", True, f"answers come from the tape {config.model.tape}")
        return True
    config = replace(config, model=replace(config.model, tape=None))
    tasks = chosen_tasks(config, lambda text: None)[:1]
    with tempfile.TemporaryDirectory() as scratch:
        run = RunFolder(Path(scratch))
        async with environment(config, tasks, run, lambda kind, text: None) as env:
            name = env.namer(tasks[0], 0, prefix=False)
            model = Model(replace(env.model.spec, retries=1))
            try:
                probe = Probe(model, name)
                async for line in probe.lines():
                    _say(*line)
            finally:
                await model.close()
    return probe.works


def _say(name: str, ok: bool | None, told: str) -> None:
    mark = {True: "ok", False: "FAIL", None: ""}[ok]
    echo(f"{mark:4} {name:9} {told}")
