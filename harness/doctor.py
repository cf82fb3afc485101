"""`seambench doctor`: what a run needs here, each with what to do where it is missing."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence

from harness.config import Config, load_config, project_folder
from harness.errors import SeambenchError

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
        "endpoint": lambda: asyncio.run(_endpoint(config)),
    }
    failed = 0
    for name, check in checks.items():
        try:
            ok, told = check()
        except SeambenchError as error:
            ok, told = False, str(error)
        failed += not ok
        print(f"{'ok  ' if ok else 'FAIL'} {name:9} {told}", flush=True)
    return 1 if failed else 0


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


def _tokens() -> Finding:
    from harness import tokens

    found = tokens.count("hello 世界")
    return found > 0, f"counted offline (o200k): {found} for a sample"


def _disk() -> Finding:
    free = shutil.disk_usage(project_folder()).free // 2**20
    return free >= NEEDED_DISK_MB, f"{free} MB free, {NEEDED_DISK_MB} wanted"


async def _endpoint(config: Config) -> Finding:
    """One real request with tools to the configured model."""
    import tempfile
    from pathlib import Path

    from harness.build import chosen_tasks, environment
    from harness.store import RunFolder
    from harness.tools import parse_calls, schemas

    tasks = chosen_tasks(config, lambda text: None)[:1]
    with tempfile.TemporaryDirectory() as scratch:
        run = RunFolder(Path(scratch))
        async with environment(config, tasks, run, lambda kind, text: None) as env:
            name = env.namer(tasks[0], 0, prefix=False)
            question = "Call read_file with the path README.md."
            messages = [{"role": "user", "content": question}]
            reply = await env.model.complete(messages, schemas(), model_name=name)
    called = [call.name for call in parse_calls(reply.message)]
    told = (
        f"{config.model.kind} answered as {reply.model}, tool calls: {', '.join(called) or 'none'}"
    )
    return bool(called), told if called else f"{told}; the agent needs a model that calls tools"
