"""Options of the test suite."""

from __future__ import annotations

import os
import shutil
import tempfile
from multiprocessing.util import Finalize
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same examples at every run, and no deadline: timings belong in benchmarks.
settings.register_profile(
    "quick",
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("quick")

pytest_plugins = ("servers",)

MEMORY = Path("/dev/shm")
ROOM = 4 * 2**30
"""Bytes that must be free there for the files of all tests, which take a quarter of it."""


def pytest_configure(config: pytest.Config) -> None:
    """Where there is room, the files of all tests are kept in memory: they are many and small.

    They are gone at the end; set TMPDIR to keep them, as xdist's processes find it set.
    """
    if "TMPDIR" in os.environ or not _has_room(MEMORY):
        return
    for left in MEMORY.glob("sb-*"):
        if not Path("/proc", left.name[3:]).exists():  # that test run was killed
            shutil.rmtree(left, ignore_errors=True)
    folder = MEMORY / f"sb-{os.getpid()}"  # short: sockets lie below it
    folder.mkdir(mode=0o700)
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    Finalize(None, shutil.rmtree, (folder, True), exitpriority=-200)  # -100: multiprocessing's own


def _has_room(folder: Path) -> bool:
    """Whether it is there, large enough, and programs in it may be executed."""
    if not os.access(folder, os.W_OK):
        return False
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize >= ROOM and not found.f_flag & os.ST_NOEXEC


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--refresh-golden",
        action="store_true",
        help="write tests/golden/<strategy>.json anew from what the strategies do now",
    )
