"""Run a prepared command: follow it, bound it, read its output. The backends are in `sandbox`."""

from __future__ import annotations

import asyncio
import math
import stat
import time
import weakref
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from .command_process import Output, Process
from .command_text import normalise
from .errors import SandboxError
from .limits import over_a_limit

MEMORY_KB = 1024 * 1024
FILE_KB = 64 * 1024
PROCESSES = 256
TIMED_OUT = 124
LOOK_S = 0.25
LOOKS_PER_WALK = 4
"""Seconds between looks at the memory of a command, and looks between walks over its files."""

MARK = b"\x1dseambench-started\n"
# The outer shell sets the limits, is process 1 of the bubblewrap (so that the end of the command
# is the end of everything it started) and is the first to go when memory runs out. As root it stays
# root, with no say of the command's, because only then may the kernel end it when its parent dies.
_OUTER = r"""
command=$1 memory=$2 file=$3 processes=$4 seconds=$5
cd "$6" && printf '\035seambench-started\n' || exit 125
shift 6
exec 2>/dev/null  # what the shell itself says of a killed command
echo 1000 >/proc/self/oom_score_adj
ulimit -c 0; ulimit -v "$memory"; ulimit -f "$file"; ulimit -t "$seconds"
ulimit -u "$processes" || ulimit -p "$processes"  # bash, dash
"$@" bash -c "$command" 2>&1
exit $?
"""

_IDENTITY = {"NAME": "agent", "EMAIL": "agent@example.invalid", "DATE": "2025-01-01T00:00:00Z"}
GIT_ENV = {
    **{f"GIT_{who}_{k}": v for who in ("AUTHOR", "COMMITTER") for k, v in _IDENTITY.items()},
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "safe.directory",
    "GIT_CONFIG_VALUE_0": "*",
}
"""Fixed git identity and dates, no system configuration; also used by `workspace`."""

ENV = {
    **GIT_ENV,
    "HOME": "/tmp",
    "TMPDIR": "/tmp",
    "USER": "agent",
    "LOGNAME": "agent",
    "SHELL": "/bin/bash",
    "LC_ALL": "C.UTF-8",
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "TERM": "dumb",
    "COLUMNS": "100",
    "PAGER": "cat",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTEST_ADDOPTS": "-p no:cacheprovider",
    # What happens to be installed beside the harness must not change what a task's tests print.
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
}
SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"


def outer(
    command: str, folder: str, timeout_s: float, processes: int, drop: Sequence[str] = ()
) -> list[str]:
    """The shell that sets the limits and runs `command` in `folder`, through the program `drop`.

    drop: "exec", where nothing needs the outer shell to stay.
    """
    blocks = FILE_KB * 2  # of 512 bytes, as POSIX has it
    limits = [str(n) for n in (MEMORY_KB, blocks, processes, math.ceil(timeout_s) + 1)]
    return ["/bin/sh", "-c", _OUTER, "sh", command, *limits, folder, *drop]


@dataclass(frozen=True)
class CommandResult:
    """What a command did.

    exit_code: 128 + n after signal n, 124 where the harness stopped it.
    text: for the model: merged output without times, escapes and machine paths, and how it ended.
    raw: the merged output as it came, undecodable bytes replaced.
    truncated: the middle of an output over 64 kB was left out (of `raw` as well).
    """

    exit_code: int
    text: str
    raw: str
    seconds: float
    timed_out: bool
    truncated: bool


@dataclass(frozen=True)
class Binds:
    """Folders beside the workspace, each with its place inside."""

    read_only: Sequence[tuple[Path, str]] = ()
    writable: Sequence[tuple[Path, str]] = ()


@dataclass(frozen=True)
class Launch:
    """A prepared command: what to execute, folders that must not grow, names to hide in text."""

    argv: list[str]
    env: dict[str, str]
    cwd: str
    growing: list[str]
    names: dict[str, str]


class Sandbox(ABC):
    """A way to run commands; use `find_sandbox`. `reason` says why bubblewrap is not used."""

    name: str
    reason: str | None = None

    def __init__(self) -> None:
        self._locks: weakref.WeakValueDictionary[Path, asyncio.Lock] = weakref.WeakValueDictionary()

    @abstractmethod
    def _launch(
        self, command: str, workdir: Path, timeout_s: float, binds: Binds
    ) -> AbstractContextManager[Launch]: ...

    @abstractmethod
    async def _end(self, process: Process, launch: Launch) -> None:
        """Kill everything that the command started and return when it is gone."""

    async def run(
        self,
        command: str,
        workdir: Path,
        *,
        timeout_s: float = 30,
        extra_binds: Sequence[tuple[Path, str]] = (),
        writable: Sequence[tuple[Path, str]] = (),
    ) -> CommandResult:
        """Run `command` with `bash -c` in `workdir`, which it sees as /work.

        timeout_s: wall seconds; also the limit of CPU seconds of each process, rounded up.
        extra_binds: (path here, readable by all; absolute path inside, not below /work), read-only;
            bubblewrap only.
        writable: the same, but the command's own, to write to.
        One command at a time in a folder; a second one waits. Raises SandboxError where the
        sandbox, not the command, failed.
        """
        workdir = workdir.resolve()
        if not workdir.is_dir():
            raise SandboxError(f"{workdir} is not a folder", kind="workdir")
        lock = self._locks.setdefault(workdir, asyncio.Lock())
        async with lock:
            # Whatever the last command did to it; the outer shell enters it as "others".
            workdir.chmod(0o711 | stat.S_IMODE(workdir.stat().st_mode))
            started = time.perf_counter()
            with self._launch(command, workdir, timeout_s, Binds(extra_binds, writable)) as launch:
                output = Output()
                try:
                    code, stopped = await self._follow(launch, output, timeout_s)
                    await output.finished()
                finally:
                    output.close()
        raw_bytes, truncated = output.value()
        before, mark, after = raw_bytes.partition(MARK)
        if not mark and not stopped:
            detail = before.decode("utf-8", "replace").strip().splitlines() or [f"exit code {code}"]
            raise SandboxError(f"{self.name} did not start the command: {detail[-1]}", kind="start")
        raw = after.decode("utf-8", "replace")
        text = normalise(raw, launch.names)
        ending = stopped or (f"exit code {code}" if code else "")
        if ending:
            text = text + ("" if not text or text.endswith("\n") else "\n") + ending + "\n"
        seconds = time.perf_counter() - started
        timed_out = bool(stopped) and stopped.startswith("timed out")
        return CommandResult(code, text, raw, seconds, timed_out, truncated)

    async def _follow(
        self, launch: Launch, output: Output, timeout_s: float
    ) -> tuple[int, str | None]:
        """(exit code, why the harness stopped it or None); nothing is left running."""
        try:
            process = Process(launch.argv, launch.env, launch.cwd, output.write_fd)
        except OSError as error:
            raise SandboxError(f"{self.name}: cannot start: {error}", kind="start") from error
        output.start()
        try:
            stopped = await _wait(process, launch.growing, timeout_s)
        finally:
            await self._end(process, launch)
        code = process.returncode or 0
        code = TIMED_OUT if stopped else code
        return (128 - code if code < 0 else code), stopped


async def _wait(process: Process, growing: list[str], timeout_s: float) -> str | None:
    """Wait for the end; the reason where it must be stopped instead."""
    deadline = time.monotonic() + timeout_s
    ended = asyncio.ensure_future(process.wait())
    try:
        looks = 0
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                return f"timed out after {timeout_s:g} s"
            if (await asyncio.wait([ended], timeout=min(LOOK_S, left)))[0]:
                return None
            looks += 1
            files = looks % LOOKS_PER_WALK == 0
            if over := await asyncio.to_thread(over_a_limit, process.pid, growing, files):
                return f"stopped: {over}"
    finally:
        ended.cancel()
