"""A folder as the bytes of a tar.gz and back: equal content gives equal bytes."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import stat
import tarfile
from pathlib import Path

from .errors import WorkspaceError, WorkspaceOverflow
from .folder import walk
from .git import neutral_index, open_safely
from .guard import no_space

FREEZE_LIMIT = 1024 * 1024 * 1024
TIME = 1735689600  # 2025-01-01: one time for all files, so that equal trees freeze to equal bytes


def pack(root: Path) -> bytes:
    """A tar.gz of all that is in `root`.

    Owners and times are left out (the stat data in .git/index too, so git looks at the content
    again afterwards). Pipes, sockets and devices are left out. Raises WorkspaceError and
    WorkspaceOverflow.
    """
    buffer = io.BytesIO()
    total = 0
    with (
        gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=1, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for path, status in sorted(walk(root, everything=True)):
            total += status.st_size
            if total > FREEZE_LIMIT:
                raise WorkspaceOverflow(f"over {FREEZE_LIMIT} bytes: no snapshot is made")
            _add(archive, root, path, status)
    return buffer.getvalue()


def unpack(tar: bytes, root: Path) -> None:
    """Write what `pack` gave into the empty folder `root`. Raises WorkspaceError."""
    try:
        with tarfile.open(fileobj=io.BytesIO(tar), mode="r:gz") as archive:
            folders = {root}
            for member in archive:
                _write(archive, member, root, folders)
    except (tarfile.TarError, OSError, EOFError) as error:
        kind = "no_space" if no_space(error) else "failed"
        text = f"cannot restore the snapshot to {root}: {error}"
        raise WorkspaceError(text, kind=kind) from error


def _add(archive: tarfile.TarFile, root: Path, path: str, status: os.stat_result) -> None:
    member = tarfile.TarInfo(path)
    member.mtime = TIME
    member.mode = 0o755 if status.st_mode & 0o100 else 0o644
    if stat.S_ISDIR(status.st_mode):
        member.type, member.mode = tarfile.DIRTYPE, 0o755
    elif stat.S_ISLNK(status.st_mode):
        member.type, member.mode = tarfile.SYMTYPE, 0o777
        member.linkname = os.readlink(root / path)
    elif not stat.S_ISREG(status.st_mode):
        return
    content = b""
    if member.isreg():
        with open_safely(root / path) as file:
            content = file.read(status.st_size)
        content = neutral_index(content) if path == ".git/index" else content
        member.size = len(content)
    archive.addfile(member, io.BytesIO(content))


def _write(
    archive: tarfile.TarFile, member: tarfile.TarInfo, root: Path, folders: set[Path]
) -> None:
    """Write one member, only into `folders` made before it: so never through a link."""
    target = root / member.name
    if target.parent not in folders or target.name in ("", ".."):
        raise WorkspaceError(f"the snapshot leads out of its folder: {member.name!r}", kind="path")
    if member.isdir():
        os.mkdir(target, 0o755)
        folders.add(target)
        return
    if member.issym():
        os.symlink(member.linkname, target)
        return
    source = archive.extractfile(member)
    if source is None:
        raise WorkspaceError(f"the snapshot has an unexpected member: {member.name!r}")
    with open(target, "xb") as file:
        shutil.copyfileobj(source, file)
    os.chmod(target, member.mode)
    os.utime(target, (TIME, TIME))
