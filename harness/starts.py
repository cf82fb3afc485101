"""Fresh workspaces: a codebase is committed once in a process and unpacked for every prefix."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from harness.store import write_atomic
from harness.text import digest
from harness.workspace import Workspace

SMALL = 256 * 1024
"""Bytes of a snapshot that is unpacked in a few milliseconds."""


class Starts:
    """Snapshots of committed codebases, in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def workspace(self, files: Mapping[str, bytes], root: Path) -> Workspace:
        """`Workspace.create` at a fraction of its cost for files that were seen before.

        Always unpacked, the first one too, so that every prefix finds the same times of files.
        """
        key = digest([[path, digest(data)] for path, data in sorted(files.items())])
        path = self._folder / f"start-{key}.tar.gz"
        async with self._locks[key]:
            if not path.exists():
                await asyncio.to_thread(_commit, files, root, path)
        return await unpacked(path.read_bytes(), root)


def _commit(files: Mapping[str, bytes], root: Path, path: Path) -> None:
    made = Workspace.create(dict(files), root)
    write_atomic(path, made.freeze())
    made.remove()


async def unpacked(tar: bytes, root: Path) -> Workspace:
    """`Workspace.restore`, a large one beside the event loop.

    Not a small one: while many begin at once, threads and loop would wait for each other at every
    file, for longer than the whole takes.
    """
    if len(tar) < SMALL:
        return Workspace.restore(tar, root)
    return await asyncio.to_thread(Workspace.restore, tar, root)
