"""Temporary folders of ours: gone with their owner, or, where it was killed, at the next start.

A folder is locked for as long as the process lives that made it, which tells the dead from the
living. The lock is on the folder itself, so nothing of ours is in it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
import weakref
from collections.abc import Iterator
from pathlib import Path

from .errors import WorkspaceError
from .folder import clear

PREFIX = "seambench-scratch-"


class Scratch(tempfile.TemporaryDirectory[str]):
    """The standard library's temporary folder, but locked while this process lives."""

    def __init__(self) -> None:
        while True:
            super().__init__(prefix=PREFIX, ignore_cleanup_errors=True)
            try:
                weakref.finalize(self, os.close, _locked(self.name))
            except (BlockingIOError, FileNotFoundError):  # a sweeper came before the lock
                self.cleanup()
                continue
            except OSError:  # a file system without locks, where nothing is swept either
                pass
            return


@contextlib.contextmanager
def swept() -> Iterator[None]:
    """Before and after: what dead processes of this user left in the temporary folder is removed.

    After, too, since the processes of a pool end without tidying up.
    """
    _sweep()
    try:
        yield
    finally:
        _sweep()


def _sweep() -> None:
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            lock = _locked(str(path))
        except OSError:  # its process lives, or it is another user's, or gone
            continue
        try:
            if os.fstat(lock).st_uid == os.geteuid():
                clear(path)
        except WorkspaceError:  # something writes there; the next sweep tries again
            continue
        finally:
            os.close(lock)


def _locked(path: str) -> int:
    """A descriptor that holds the lock of a folder. Raises OSError: of which kind, see Scratch."""
    found = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(found, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.stat(path)  # gone where a sweeper had the lock before
    except OSError:
        os.close(found)
        raise
    return found
