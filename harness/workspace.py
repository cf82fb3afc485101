"""A private copy of a codebase: a folder with one git commit, watched, frozen and restored.

The folder belongs to the agent, which may put anything into it: links that lead out, huge or
unreadable files, pipes, names that are not UTF-8, a hostile .git/config. Nothing here follows a
link out of the folder, blocks on a pipe, or lets git read the agent's configuration.
"""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path, PurePosixPath

from .errors import WorkspaceError, WorkspaceOverflow
from .folder import clear, walk
from .git import commit_all, inspect, open_safely
from .guard import no_space
from .snapshot import FREEZE_LIMIT, TIME, pack, unpack

BIG = 8 * 1024 * 1024
"""Bytes above which a file is known by its hash only; `read` refuses it."""
ROOM = 1024 * 1024
"""Bytes free below which a disk counts as full."""
FILES_LIMIT = 50_000
"""Files beyond which, or bytes (FREEZE_LIMIT), a workspace is an outcome: WorkspaceOverflow."""

_Stamp = tuple[int, int, int, int, int]


class Workspace:
    """The folder `root`. Paths given and returned are relative, with "/"; "/work/x" means "x"."""

    def __init__(self, root: Path) -> None:
        """Take over an existing folder; what is in it now counts as unchanged."""
        self.root = root.resolve()
        self._stamps: dict[str, _Stamp] = {}
        self._hashes: dict[str, str] = {}
        self._paths: dict[str, str] = {}
        self.changed()

    @classmethod
    def create(cls, files: dict[str, bytes], root: Path) -> Workspace:
        """Write `files` (path to content) into the empty folder `root` and commit them.

        The commit hash depends on paths and content alone. Files that begin with "#!" are
        executable. Raises WorkspaceError.
        """
        root = _empty(root)
        for path, content in files.items():
            parts = PurePosixPath(path).parts
            if not parts or path.startswith("/") or ".." in parts or parts[0] == ".git":
                raise WorkspaceError(f"not a path inside a workspace: {path!r}", kind="path")
            target = root.joinpath(*parts)
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
                target.chmod(0o755 if content.startswith(b"#!") else 0o644)
            except OSError as error:
                kind = "no_space" if no_space(error) else "failed"
                raise WorkspaceError(f"cannot write {path}: {error}", kind=kind) from error
        commit_all(files, root, TIME)
        return cls(root)

    @classmethod
    def restore(cls, tar: bytes, root: Path) -> Workspace:
        """Unpack what `freeze` gave into the empty folder `root`. Raises WorkspaceError."""
        root = _empty(root)
        unpack(tar, root)
        return cls(root)

    def manifest(self) -> dict[str, str]:
        """Path to SHA-256 of every file except .git and IGNORED; sorted. Updates nothing.

        Pipes, sockets and devices are left out. Raises WorkspaceOverflow.
        """
        return dict(sorted(self._look()[1].items()))

    def changed(self) -> dict[str, str | None]:
        """Files whose content differs since the last call: path to SHA-256, None where removed."""
        before = self._hashes
        self._stamps, self._hashes = self._look()
        names = sorted(before.keys() | self._hashes.keys())
        return {
            name: self._hashes.get(name)
            for name in names
            if before.get(name) != self._hashes.get(name)
        }

    def content(self, name: str) -> bytes:
        """What the hash of a name in the manifest is taken of: the bytes of a file, "link:" and
        the target of a link, and for a file over BIG its size and hash."""
        path = self._paths.get(name, name)
        status = os.lstat(self.root / path)
        stand_in = self._stand_in(path, status)
        if stand_in is not None:
            return stand_in
        with open_safely(self.root / path) as file:
            return file.read(BIG)

    def resolve(self, path: str) -> Path:
        """The real place of `path`, which need not exist. Raises WorkspaceError (kind "path") for
        a path that is empty, not below /work, or leads out by ".." or by a link."""
        inside = path
        if path == "/work" or path.startswith("/work/"):
            inside = path[len("/work/") :] or "."
        if not inside or "\0" in inside or inside.startswith("/"):
            raise WorkspaceError(f"not a path inside /work: {path!r}", kind="path")
        try:
            target = Path(os.path.realpath(self.root / inside))
        except (OSError, UnicodeError) as error:
            raise WorkspaceError(f"not a usable path: {path!r}: {error}", kind="path") from error
        if target != self.root and self.root not in target.parents:
            raise WorkspaceError(f"the path leads out of /work: {path!r}", kind="path")
        return target

    def read(self, path: str) -> bytes:
        """Content of a regular file of at most BIG bytes. Raises WorkspaceError: kind "path",
        "missing", "not_a_file", "too_big" or "failed"."""
        target = self.resolve(path)
        try:
            with open_safely(target) as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode):
                    raise WorkspaceError(f"{path} is not a file", kind="not_a_file")
                if status.st_size > BIG:
                    text = f"{path} has {status.st_size} bytes, over {BIG}: look at parts of it"
                    raise WorkspaceError(text, kind="too_big")
                return file.read(BIG)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise WorkspaceError(f"{path} does not exist", kind="missing") from error
        except OSError as error:
            if target.exists() and not target.is_file():  # a folder or a socket
                raise WorkspaceError(f"{path} is not a file", kind="not_a_file") from error
            raise WorkspaceError(f"cannot read {path}: {error.strerror}", kind="failed") from error

    def text(self, path: str) -> str | None:
        """A file as text; bytes that are not UTF-8 are replaced. None where there is none that
        `read` would give, whatever the agent put there instead."""
        try:
            return self.read(path).decode("utf-8", "replace")
        except WorkspaceError as error:
            if error.kind == "failed":
                raise
            return None

    def lay(self, path: str, content: bytes) -> None:
        """Write a file of the harness's own. Whatever stands in its way is removed; a link is never
        followed. Raises WorkspaceError for a path that leads out."""
        parts = PurePosixPath(path).parts
        if not parts or parts[0] == "/" or ".." in parts:
            raise WorkspaceError(f"not a path inside a workspace: {path!r}", kind="path")
        target = self.root
        for folder in parts[:-1]:
            target = target / folder
            if target.is_symlink() or not target.is_dir():
                clear(target)
                target.mkdir()
            target.chmod(0o755)  # the agent may have locked it
        clear(target / parts[-1])
        (target / parts[-1]).write_bytes(content)

    def freeze(self) -> bytes:
        """A tar.gz of the whole folder, .git included: equal content gives equal bytes.

        Owners and times are left out (the stat data in .git/index too, so git looks at the content
        again after a restore). Pipes, sockets and devices are left out. Raises WorkspaceError and
        WorkspaceOverflow.
        """
        return pack(self.root)

    def remove(self) -> None:
        """Delete the folder, whatever is in it."""
        clear(self.root)

    def full(self) -> bool:
        """Whether there is no room left on its disk."""
        room = os.statvfs(self.root)
        return room.f_bavail * room.f_frsize < ROOM

    def status(self) -> str:
        """`git status --short`, or "no git repository" where the agent broke it."""
        return inspect(self.root, ["status", "--short", "--untracked-files=all"])

    def diff(self) -> str:
        """Difference between the last commit and the files, untracked ones not included."""
        return inspect(self.root, ["diff", "--no-ext-diff", "--no-textconv", "HEAD"])

    def log(self) -> str:
        """One line a commit, newest first."""
        return inspect(self.root, ["log", "--oneline", "--no-decorate"])

    def _look(self) -> tuple[dict[str, _Stamp], dict[str, str]]:
        """Stat all files and hash those whose stat differs from what is known."""
        stamps: dict[str, _Stamp] = {}
        hashes: dict[str, str] = {}
        for path, status in self._files():
            name, stamp = _shown(path), _stamp(status)
            known = self._stamps.get(name) == stamp
            try:
                hashes[name] = self._hashes[name] if known else self._hash(path, status)
            except FileNotFoundError:  # removed between the two looks
                continue
            stamps[name] = stamp
            if name != path:
                self._paths[name] = path
        return stamps, hashes

    def _files(self) -> list[tuple[str, os.stat_result]]:
        """Files and links, refused before any is read where they are too many or too big."""
        found, total = [], 0
        for path, status in walk(self.root):
            if stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode):
                found.append((path, status))
                total += status.st_size
            if len(found) > FILES_LIMIT or total > FREEZE_LIMIT:
                told = f"{FILES_LIMIT} files or {FREEZE_LIMIT} bytes"
                raise WorkspaceOverflow(f"the workspace holds over {told}")
        return found

    def _hash(self, path: str, status: os.stat_result) -> str:
        stand_in = self._stand_in(path, status)
        if stand_in is not None:
            return hashlib.sha256(stand_in).hexdigest()
        with open_safely(self.root / path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def _stand_in(self, path: str, status: os.stat_result) -> bytes | None:
        """What is kept of a link or a big file in place of its content; None for other files."""
        if stat.S_ISLNK(status.st_mode):
            return b"link:" + os.fsencode(os.readlink(self.root / path))
        if status.st_size <= BIG:
            return None
        with open_safely(self.root / path) as file:
            sha = hashlib.file_digest(file, "sha256").hexdigest()
        return f"big:{status.st_size}:{sha}".encode("ascii")


def _stamp(status: os.stat_result) -> _Stamp:
    # ctime as well: size and mtime can be put back after a change, ctime cannot.
    return (
        status.st_mode,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_ino,
    )


def _shown(path: str) -> str:
    """A name as valid text; bytes that are not UTF-8 as \\xNN."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _empty(root: Path) -> Path:
    root.mkdir(parents=True, exist_ok=True)
    if any(root.iterdir()):
        raise WorkspaceError(f"{root} is not empty", kind="not_empty")
    return root.resolve()
