"""git without its traps: no configuration, hook or filter that an agent wrote is ever run here."""

from __future__ import annotations

import hashlib
import io
import os
import stat
import subprocess
from collections.abc import Mapping
from pathlib import Path

from .errors import WorkspaceError
from .sandbox import GIT_ENV
from .scratch import Scratch

_READ_LIMIT = 8 * 1024 * 1024


def inspect(root: Path, args: list[str]) -> str:
    """Run git on the agent's objects, index and files, with a git folder of our own.

    The agent's configuration, hooks and filters could run code here; they are never looked at.
    """
    theirs = root / ".git"
    objects = theirs / "objects"
    head = _head(theirs)
    elsewhere = objects.is_symlink() or (objects / "info" / "alternates").exists()
    if head is None or not objects.is_dir() or elsewhere:
        return "no git repository\n"
    with Scratch() as folder:
        ours = Path(folder)
        (ours / "refs").mkdir()
        (ours / "HEAD").write_text(head + "\n", encoding="ascii")
        (ours / "config").write_text(
            "[core]\n\trepositoryformatversion = 0\n\tbare = false\n", encoding="ascii"
        )
        index = _small_file(theirs / "index")
        if index is not None:
            (ours / "index").write_bytes(index)
        where = {
            "GIT_DIR": folder,
            "GIT_WORK_TREE": str(root),
            "GIT_OBJECT_DIRECTORY": str(objects),
        }
        ignore = [] if args[0] == "log" else ["--ignore-submodules=all"]
        text = run_git([args[0], *ignore, *args[1:]], where, root, check=False)
        return text.replace(folder, ".git")


def neutral_index(index: bytes) -> bytes:
    """A git index with the stat data of its entries zeroed, which git takes as "look again".

    Format: gitformat-index (versions 2 and 3). Anything else is returned as it is.
    """
    if len(index) < 32 or index[:4] != b"DIRC" or index[4:8] not in (b"\0\0\0\2", b"\0\0\0\3"):
        return index
    data, at = bytearray(index[:-20]), 12
    for _ in range(int.from_bytes(index[8:12], "big")):
        extended = 2 if data[at + 60 : at + 61] and data[at + 60] & 0x40 else 0
        name = at + 62 + extended
        end = data.find(b"\0", name)
        if end < 0:
            return index
        data[at : at + 24] = bytes(24)  # ctime, mtime, device, inode
        data[at + 28 : at + 40] = bytes(12)  # owner, group, size
        at += (end - at + 8) // 8 * 8
    return bytes(data) + hashlib.sha1(data).digest()


def open_safely(path: Path) -> io.BufferedReader:
    """Open for reading; never follows a final link, never waits for a pipe's other end."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        return open(os.open(path, flags), "rb")
    except PermissionError:  # the agent locked it; its owner may unlock it
        path.chmod(0o600 | stat.S_IMODE(path.lstat().st_mode))
        return open(os.open(path, flags), "rb")


def _small_file(path: Path) -> bytes | None:
    """Content of a regular file of at most _READ_LIMIT bytes that is not a link; None otherwise."""
    try:
        with open_safely(path) as file:
            status = os.fstat(file.fileno())
            usable = stat.S_ISREG(status.st_mode) and status.st_size <= _READ_LIMIT
            return file.read(_READ_LIMIT) if usable else None
    except OSError:
        return None


def _head(git: Path) -> str | None:
    """The commit that HEAD stands for, read without git; None where there is none."""
    if git.is_symlink() or not git.is_dir():
        return None
    text = (_small_file(git / "HEAD") or b"").decode("ascii", "replace").strip()
    if text.startswith("ref: "):
        name = text[5:]
        if ".." in name or not name.startswith("refs/"):
            return None
        packed = (_small_file(git / "packed-refs") or b"").decode("utf-8", "replace")
        lines = [line.split(" ", 1) for line in packed.splitlines() if " " in line]
        known = {ref: commit for commit, ref in lines}
        loose = (_small_file(git / name) or b"").decode("ascii", "replace").strip()
        text = loose or known.get(name, "")
    return text if len(text) == 40 and set(text) <= set("0123456789abcdef") else None


def commit_all(files: Mapping[str, bytes], root: Path, time: int) -> None:
    """Make `root`, in which `files` (path to content) lie, a repository with one commit of them.

    The commit hash depends on paths, content and `time` (seconds) alone. One pack instead of many
    small objects: every fork restores them, every command looks.
    """
    where = {"GIT_DIR": str(root / ".git"), "GIT_WORK_TREE": str(root)}
    run_git(["init", "--quiet", "--template=", "--initial-branch=main"], where, root)
    import_ = ["-c", "fastimport.unpackLimit=1", "fast-import", "--quiet"]
    run_git(import_, where, root, given=_commit(files, time))
    run_git(["read-tree", "HEAD"], where, root)


def _commit(files: Mapping[str, bytes], time: int) -> bytes:
    """A commit in the format of git-fast-import. Files that begin with "#!" are executable."""
    who = f"{GIT_ENV['GIT_AUTHOR_NAME']} <{GIT_ENV['GIT_AUTHOR_EMAIL']}> {time} +0000"
    head = f"commit refs/heads/main\nauthor {who}\ncommitter {who}\ndata 15\nInitial commit\n"
    parts = [head.encode("utf-8")]
    for path, content in sorted(files.items()):
        mode = "100755" if content.startswith(b"#!") else "100644"
        name = path.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
        line = f'M {mode} inline "{name}"\ndata {len(content)}\n'
        parts += [line.encode("utf-8", "surrogateescape"), content, b"\n"]
    return b"".join(parts)


def run_git(
    args: list[str], where: dict[str, str], cwd: Path, check: bool = True, given: bytes = b""
) -> str:
    """Run git with our environment alone: no configuration of the user or of the system.

    given: what it reads.
    """
    env = {
        **GIT_ENV,
        **where,
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": "/nonexistent",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_ATTR_NOSYSTEM": "1",
    }
    safe = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"]
    try:
        done = subprocess.run(
            ["git", "--no-pager", *safe, *args],
            env=env,
            cwd=cwd,
            input=given,
            capture_output=True,
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise WorkspaceError(f"git {args[0]} did not run: {error}", kind="git") from error
    if done.returncode and check:
        detail = done.stderr.decode("utf-8", "replace").strip()
        raise WorkspaceError(f"git {args[0]} failed in {cwd}: {detail}", kind="git")
    return (done.stdout if not done.returncode else done.stderr).decode("utf-8", "replace")
