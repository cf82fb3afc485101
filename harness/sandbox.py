"""Run a command of the agent with limits: in bubblewrap, or plain where bubblewrap cannot work.

bubblewrap is a boundary: own namespaces (no network), no capabilities, an unprivileged uid, a
read-only system, only the workspace writable. plain is not: it has the same environment, limits and
clean-up, but the command sees the machine. `Sandbox.name` and `Sandbox.reason` say which one it is.

Linux does not apply the process limit to uid 0 whatever it is called in a user namespace, and uid 0
also owns files such as /etc/shadow. So root hands the workspace to a uid made for it and drops to
that uid; an ordinary user gets a user namespace.
"""

from __future__ import annotations

import asyncio
import errno
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from .command import (
    ENV,
    GIT_ENV,
    MARK,
    PROCESSES,
    SYSTEM_PATH,
    Binds,
    CommandResult,
    Launch,
    Sandbox,
    outer,
)
from .command_process import Process
from .errors import SandboxError, UserError
from .scratch import Scratch
from .toolbox import PYTHON, VENV, Toolbox, in_venv, interpreter

__all__ = ["GIT_ENV", "CommandResult", "Sandbox", "find_sandbox"]


def _tasks_of(uid: int) -> int:
    """Threads of a user on the machine: the process limit counts them all, but none of root's."""
    if uid == 0:
        return 0
    count = 0
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                if entry.stat().st_uid == uid:
                    count += os.stat(f"/proc/{entry.name}/task").st_nlink - 2
            except OSError:  # ended meanwhile
                continue
    return count


def _bind(source: str, inside: str) -> list[str]:
    """A read-only mount; its parent folders open to all (bubblewrap would make them mode 700)."""
    parents = [str(p) for p in Path(inside).parents][-2::-1]
    return [*(a for p in parents for a in ("--dir", p)), "--ro-bind", source, inside]


class _Bubblewrap(Sandbox):
    name = "bubblewrap"

    def __init__(self, bwrap: str) -> None:
        super().__init__()
        self._root = os.geteuid() == 0
        python = f"{VENV}/bin/python" if in_venv() else sys.executable
        self._tools = Toolbox(python)
        version = subprocess.run([bwrap, "--help"], capture_output=True, check=False)
        self._options = {o for o in ("--size", "--disable-userns") if o.encode() in version.stdout}
        self._fixed = [bwrap, *self._isolation(), *self._files(), *self._environment()]
        self._names = {p: PYTHON for p in interpreter()}

    def _isolation(self) -> list[str]:
        args = ["--die-with-parent", "--new-session", "--as-pid-1", "--cap-drop", "ALL"]
        if self._root:  # capabilities only for setpriv, which gives them up
            args += ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
            args += ["--unshare-cgroup-try"]
            for cap in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
                args += ["--cap-add", cap]
        else:
            args += ["--unshare-all", "--unshare-user", "--uid", "1000", "--gid", "1000"]
            args += ["--disable-userns"] if "--disable-userns" in self._options else []
        return [*args, "--hostname", "sandbox"]

    def _files(self) -> list[str]:
        def tmpfs(path: str, megabytes: int) -> list[str]:
            size = ["--size", str(megabytes << 20)] if "--size" in self._options else []
            return ["--perms", "1777", *size, "--tmpfs", path]

        args = ["--proc", "/proc", "--dev", "/dev", *tmpfs("/dev/shm", 64), *tmpfs("/tmp", 256)]
        for path in ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin"):
            if os.path.islink(path):
                args += ["--symlink", os.readlink(path), path]
            elif os.path.isdir(path):
                args += ["--ro-bind", path, path]
        args += _bind(str(self._tools.etc), "/etc")
        for path in interpreter():
            args += _bind(path, path)
        if in_venv():  # not at its own path, which may be below /work
            args += _bind(sys.prefix, VENV)
        return [*args, *_bind(str(self._tools.bin), "/opt/bin")]

    def _environment(self) -> list[str]:
        env = {**ENV, "PATH": f"/opt/bin:{VENV}/bin:{SYSTEM_PATH}"}
        return ["--clearenv", *(a for k, v in env.items() for a in ("--setenv", k, v))]

    @contextmanager
    def _launch(
        self, command: str, workdir: Path, timeout_s: float, binds: Binds
    ) -> Iterator[Launch]:
        argv = list(self._fixed)
        for source, inside in binds.read_only:
            argv += _bind(str(source), inside)
        for source, inside in binds.writable:
            argv += ["--bind", str(source), inside]
        argv += ["--bind", str(workdir), "/work", "--chdir", "/"]
        argv += ["--remount-ro", "/dev", "--remount-ro", "/", "--"]
        processes, drop = PROCESSES, []
        if self._root:
            uid = _uid_for(workdir)
            for folder in (workdir, *(source for source, _ in binds.writable)):
                _hand_over(str(folder), uid)
            drop = ["/usr/bin/setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]
            drop += ["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"]
        else:
            processes += _tasks_of(os.geteuid())
        argv += outer(command, "/work", timeout_s, processes, drop)
        growing = [str(workdir), *(str(source) for source, _ in binds.writable)]
        yield Launch(argv, {}, "/", growing, {str(workdir): "/work", **self._names})

    async def _end(self, process: Process, launch: Launch) -> None:
        # The namespace's process 1 is the child of `process`; its end is complete only when all
        # others are gone, and `process` ends after it.
        if process.returncode is not None:
            return
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        try:
            pids = [int(p) for p in children.read_text(encoding="ascii").split()]
        except OSError:  # ended just now, or a kernel without this file
            pids = []
        _kill(*(pids or [process.pid]))
        await process.wait()

    def probe(self) -> str | None:
        """Why it does not work here, or None: runs the interpreter once."""
        if inside := [p for p in interpreter() if (p + "/").startswith("/work/")]:
            return f"the Python interpreter lies below /work ({inside[0]})"
        with ExitStack() as stack:
            # Below ours, which it would be handed over with: no sweep takes a stranger's folder.
            work = Path(stack.enter_context(Scratch()), "work").resolve()
            work.mkdir()
            work.chmod(0o711)
            launch = stack.enter_context(self._launch("true && python -c ''", work, 20, Binds()))
            done = subprocess.run(
                launch.argv, env={}, stdin=subprocess.DEVNULL, capture_output=True, check=False
            )
        if done.returncode == 0 and done.stdout.startswith(MARK):
            return None
        lines = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"bwrap ended with exit code {done.returncode}"


def _uid_for(workdir: Path) -> int:
    """A uid from the range for dynamic users, its own for a folder, to count processes apart."""
    return 61184 + workdir.stat().st_ino % 4336


def _hand_over(folder: str, uid: int) -> None:
    """Give the folder and all in it to `uid`. Safe because nothing of the agent runs meanwhile."""
    os.chown(folder, uid, uid, follow_symlinks=False)
    todo = [folder]
    while todo:
        try:
            with os.scandir(todo.pop()) as entries:
                for entry in entries:
                    if entry.stat(follow_symlinks=False).st_uid != uid:
                        os.chown(entry.path, uid, uid, follow_symlinks=False)
                    if entry.is_dir(follow_symlinks=False):
                        todo.append(entry.path)
        except OSError as error:
            if error.errno != errno.ENAMETOOLONG:  # made by the agent, so its own already
                raise SandboxError(f"cannot hand over {folder}: {error}", kind="owner") from error


class _Plain(Sandbox):
    name = "plain"

    def __init__(self, reason: str) -> None:
        super().__init__()
        self.reason = reason
        self._tools = Toolbox(sys.executable)
        own = str(Path(sys.executable).parent)
        self._names = {str(self._tools.bin): "/opt/bin", **{p: PYTHON for p in interpreter()}}
        if in_venv():
            self._names[sys.prefix] = VENV
        self._env = {**ENV, "PATH": f"{self._tools.bin}:{own}:{SYSTEM_PATH}"}

    @contextmanager
    def _launch(
        self, command: str, workdir: Path, timeout_s: float, binds: Binds
    ) -> Iterator[Launch]:
        if binds.read_only or binds.writable:
            raise SandboxError("the plain sandbox cannot bind folders: copy them", kind="binds")
        with Scratch() as tmp:
            env = {**self._env, "HOME": tmp, "TMPDIR": tmp}
            folder, limit = str(workdir), PROCESSES + _tasks_of(os.geteuid())
            here = _WORK.sub(lambda _: folder, command)
            argv = outer(here, folder, timeout_s, limit, ["exec"])
            names = {folder: "/work", tmp: "/tmp", **self._names}
            yield Launch(argv, env, "/", [str(workdir), tmp], names)

    async def _end(self, process: Process, launch: Launch) -> None:
        # A daemon leaves the process group but keeps the environment, whose HOME is this run's own.
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        await process.wait()
        for _ in range(100):
            pids, starting = _with_environment(f"HOME={launch.env['HOME']}".encode())
            if not pids and not any(pid > process.pid for pid in starting):
                return
            _kill(*pids)
            await asyncio.sleep(0.01)
        if pids:
            raise SandboxError(f"processes {pids} of a command cannot be killed", kind="kill")


# Where the workspace is not mounted at /work, a command that names it there means its real place.
_WORK = re.compile(r"(?<![^\s'\"=:(;&|<>`])/work(?![^\s/'\";:)&|<>`])")


def _with_environment(entry: bytes) -> tuple[list[int], list[int]]:
    """Processes with an entry in their environment; those that have none, maybe not yet."""
    found, starting = [], []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb", buffering=0) as file:
                environ = file.read()
            if entry in environ.split(b"\0"):
                found.append(int(pid))
            elif not environ and os.readlink(f"/proc/{pid}/exe"):  # no thread of the kernel
                starting.append(int(pid))
        except OSError:  # ended, or of another user
            continue
    return found, starting


def _kill(*pids: int) -> None:
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


def find_sandbox(prefer: str = "auto") -> Sandbox:
    """The sandbox to use: "auto" takes bubblewrap where it works, else plain with a reason.

    prefer: "auto", "bubblewrap" (UserError where it does not work) or "plain".
    Costs one run of the interpreter; keep the result.
    """
    if prefer not in ("auto", "bubblewrap", "plain"):
        raise UserError(f"sandbox={prefer}: expected auto, bubblewrap or plain")
    if prefer == "plain":
        return _Plain("plain was asked for")
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        reason: str | None = "bwrap is not on PATH (package: bubblewrap)"
    elif os.geteuid() == 0 and not os.access("/usr/bin/setpriv", os.X_OK):
        reason = "/usr/bin/setpriv, needed to run as root, is missing (package: util-linux)"
    else:
        sandbox = _Bubblewrap(bwrap)
        reason = sandbox.probe()
        if reason is None:
            return sandbox
    if prefer == "bubblewrap":
        raise UserError(f"sandbox=bubblewrap does not work here: {reason}; fix it or use plain")
    return _Plain(f"bubblewrap does not work here: {reason}")
