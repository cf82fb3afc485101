"""Folders that an agent filled with whatever it liked: what is in them, and how to be rid of it."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from .errors import WorkspaceError

IGNORED = frozenset({"__pycache__", ".pytest_cache"})
"""Folders that tools leave behind: never part of a manifest, at any depth."""


def walk(root: Path, everything: bool = False) -> Iterator[tuple[str, os.stat_result]]:
    """(relative path, lstat) of all entries; without `everything`, not .git and IGNORED."""
    todo = [""]
    while todo:
        folder = todo.pop()
        for entry in _entries(root / folder):
            path = f"{folder}/{entry.name}" if folder else entry.name
            try:
                status = entry.stat(follow_symlinks=False)
            except OSError:  # removed meanwhile, or deeper than the system can name
                continue
            is_folder = stat.S_ISDIR(status.st_mode)
            if not everything and (path == ".git" or (is_folder and entry.name in IGNORED)):
                continue
            if is_folder:
                todo.append(path)
            yield path, status


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    for attempt in (1, 2):
        try:
            with os.scandir(folder) as entries:
                return list(entries)
        except PermissionError:  # the agent locked it; its owner may unlock it
            if attempt == 2:
                raise
            folder.chmod(0o755)
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG):
                return []
            raise
    return []


def clear(path: Path) -> None:
    """Remove a file, a link (never its target) or a folder with all that is in it."""
    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
        return
    with suppress(OSError, RecursionError):  # locked folders, very deep trees
        shutil.rmtree(path)
        return
    for command in (["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
        subprocess.run([*command, "--", str(path)], capture_output=True, check=False)
    if path.exists():
        raise WorkspaceError(f"cannot remove {path}", kind="remove")
