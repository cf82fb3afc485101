"""What a running command uses: memory of all its processes together, and bytes on disk.

The limits that a shell can set (`ulimit`) are those of one process each; these are of them all.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

MEMORY_BYTES = 2 * 1024 * 1024 * 1024
WORKSPACE_BYTES = 512 * 1024 * 1024
_PAGE = os.sysconf("SC_PAGE_SIZE")


def over_a_limit(pid: int, folders: Sequence[str], look_at_files: bool) -> str | None:
    """What the process with its descendants, or what is below the folders, has too much of."""
    if memory_of(pid) > MEMORY_BYTES:
        return f"its processes took over {MEMORY_BYTES >> 20} MB of memory"
    if look_at_files and _size(folders) > WORKSPACE_BYTES:
        return f"the files grew over {WORKSPACE_BYTES >> 20} MB"
    return None


def memory_of(pid: int) -> int:
    """Bytes in memory of a process and its descendants; 0 where the system does not tell.

    Shared pages are told apart, which takes long, only where the plain sum is over the limit.
    """
    tree = [pid]
    for process in tree:  # grows while it is gone through
        tree += _children(process)
    total = sum(map(_resident, tree))
    return total if total <= MEMORY_BYTES else sum(map(_proportional, tree))


def _children(pid: int) -> list[int]:
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            text = Path(f"/proc/{pid}/task/{thread}/children").read_text(encoding="ascii")
            found += map(int, text.split())
    except OSError:  # ended meanwhile, or a system without this file
        return found
    return found


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * _PAGE
    except (OSError, IndexError):
        return 0


def _proportional(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:  # of another user
        return _resident(pid)
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def _size(folders: Sequence[str]) -> int:
    """Bytes below the folders, holes counted too, and every entry as one block at least."""
    total, todo = 0, list(folders)
    while todo:
        try:
            with os.scandir(todo.pop()) as entries:
                for entry in entries:
                    status = entry.stat(follow_symlinks=False)
                    total += max(4096, status.st_size, status.st_blocks * 512)
                    if entry.is_dir(follow_symlinks=False):
                        todo.append(entry.path)
        except OSError:  # removed or locked by the running command; the next look sees the rest
            continue
        if total > WORKSPACE_BYTES:
            break
    return total
