"""A file that several agents of one workspace add to, line by line and under a lock."""

from __future__ import annotations

import fcntl
from pathlib import Path


def append(path: Path, line: str) -> None:
    """Append one line, and wait where another process is at it; line ends in it become blanks."""
    with path.open("a", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # closing the file gives it back
        file.write(" ".join(line.split()) + "\n")
