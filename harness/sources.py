"""Codebases taken from pinned source distributions, fetched once into a cache."""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

from harness.errors import TaskError, WorkspaceError
from harness.text import glob_match


def cache_folder() -> Path:
    """Where fetched sources are kept: $SEAMBENCH_CACHE, else seambench below the user's cache."""
    if given := os.environ.get("SEAMBENCH_CACHE"):
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "seambench"


def fetch_source(sdist: str, sha256: str) -> Path:
    """The archive of `name==version`, from the cache or by pip from the configured registry.

    Raises WorkspaceError where it cannot be had, TaskError where its hash differs.
    """
    name, _, version = sdist.partition("==")
    if not version:
        raise TaskError(f"source.sdist: expected name==version, found {sdist!r}")
    kept = cache_folder() / "sdists" / f"{name}-{version}.tar.gz"
    if not kept.is_file():
        kept.parent.mkdir(parents=True, exist_ok=True)
        with kept.with_suffix(".lock").open("w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # tasks of one library are loaded side by side
            if not kept.is_file():
                _download(sdist, kept)
    found = hashlib.sha256(kept.read_bytes()).hexdigest()
    if found != sha256:
        raise TaskError(f"source.sdist: {kept} has sha256 {found}, expected {sha256}; remove it")
    return kept


def _download(sdist: str, kept: Path) -> None:
    """By pip, since only it knows the registry; it builds metadata, so this takes seconds."""
    with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--no-binary", ":all:", "--dest", folder, sdist]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace")
        archives = list(Path(folder).glob("*.tar.gz"))
        if done.returncode != 0 or not archives:
            said = (done.stderr.strip().splitlines() or ["no archive"])[-1]
            raise WorkspaceError(f"cannot fetch the source of {sdist}: {said}", kind="source")
        archives[0].rename(kept)


def source_files(sdist: str, sha256: str, keep: Sequence[str]) -> dict[str, bytes]:
    """Relative path -> content of the files of a source distribution that match `keep`."""
    files: dict[str, bytes] = {}
    with tarfile.open(fetch_source(sdist, sha256), "r:gz") as archive:
        for member in archive.getmembers():
            _, _, name = member.name.partition("/")
            if member.isfile() and glob_match(name, keep):
                files[name] = archive.extractfile(member).read()  # type: ignore[union-attr]
    if not files:
        raise TaskError(f"source.keep: {list(keep)} matches no file of {sdist}")
    return files
