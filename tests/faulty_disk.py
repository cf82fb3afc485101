"""A disk that is watched: at its n-th operation the process is killed, the power cut, or the like.

A killed process loses what it had not handed to the system. A power cut also takes what was not
synced; operations on names are taken to reach the disk in order, as on ext4 and XFS.
"""

from __future__ import annotations

import io
import os
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

CUT = 77
"""Exit code of a run whose process was killed or whose power was cut."""


@dataclass
class Disk:
    """Watches operations on a folder; at number `at` the `fault` happens."""

    root: str
    at: int
    fault: Callable[[Disk, Any], None]
    count: int = 0
    synced: dict[str, int] = field(default_factory=dict)
    turn: threading.Lock = field(default_factory=threading.Lock)

    def step(self, path: Any, file: Any = None, data: Any = None) -> None:
        """One operation on `path`; the fault comes before it, or in the middle of the write."""
        if os.fspath(path).startswith(self.root):
            with self.turn:  # several threads write
                self.count += 1
                if self.count == self.at:
                    self.fault(self, (file, data))

    def watch(self) -> None:
        """From now on every operation of this process is seen."""
        self._wrap("replace", lambda old, new: self._moved(old, new))
        self._wrap("mkdir", lambda path, *_: None)
        self._wrap("unlink", lambda path, *_: self.synced.pop(os.fspath(path), None))
        real_open, real_sync, real_rmtree = io.open, os.fsync, shutil.rmtree

        def opened(file: Any, mode: str = "r", *args: Any, **more: Any) -> Any:
            found = real_open(file, mode, *args, **more)
            path = os.readlink(f"/proc/self/fd/{found.fileno()}")
            if mode.strip("bt") == "r" or not path.startswith(self.root):
                return found
            self.synced.setdefault(path, os.path.getsize(path))
            return Watched(found, path, self)

        def synced(fd: int) -> None:
            path = os.readlink(f"/proc/self/fd/{fd}")
            self.step(path)
            real_sync(fd)
            self.synced[path] = os.fstat(fd).st_size

        def removed(path: Any, *args: Any, **more: Any) -> None:
            self.step(path)
            real_rmtree(path, *args, **more)

        io.open, os.fsync, shutil.rmtree = opened, synced, removed  # type: ignore[assignment]

    def _wrap(self, name: str, after: Callable[..., Any]) -> None:
        real = getattr(os, name)

        def wrapped(path: Any, *args: Any, **more: Any) -> Any:
            self.step(path if isinstance(path, str | os.PathLike) else "")
            result = real(path, *args, **more)
            if not more.get("dir_fd"):
                after(path, *args)
            return result

        setattr(os, name, wrapped)

    def _moved(self, old: Any, new: Any) -> None:
        old, new = os.fspath(old), os.fspath(new)
        if old in self.synced:
            self.synced[new] = self.synced.pop(old)


@dataclass
class Watched:
    """A file whose writes are operations."""

    file: Any
    path: str
    disk: Disk

    def write(self, data: Any) -> int:
        self.disk.step(self.path, self.file, data)
        return self.file.write(data)

    def __enter__(self) -> Watched:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


def kill(disk: Disk, torn: Any) -> None:
    """The process ends at once; of a write in progress the first half has been handed over."""
    file, data = torn
    if file is not None:
        file.write(data[: len(data) // 2])
        file.flush()
    os._exit(CUT)


def cut_power(disk: Disk, torn: Any) -> None:
    """The same, and what was not synced is gone."""
    for path, size in list(disk.synced.items()):
        if os.path.isfile(path) and os.path.getsize(path) > size:
            os.truncate(path, size)
    os._exit(CUT)


def lose_permission(disk: Disk, torn: Any) -> None:
    """From here on nothing new can be made in the run folder."""
    for folder, _, _ in os.walk(disk.root):
        os.chmod(folder, 0o500)


def nothing(disk: Disk, torn: Any) -> None:
    """No fault: to count the operations."""
