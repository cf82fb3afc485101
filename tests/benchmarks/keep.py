"""Run a benchmark and keep what it prints: `keep.py FILE.md COMMAND...`.

The file tells command, commit, machine and exit code, and is written when the command has ended.
Exit code: the command's.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def commit() -> str:
    """The commit at work, and whether files differ from it."""

    def git(*args: str) -> str:
        done = subprocess.run(
            ["git", *args], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
        )
        return done.stdout.strip()

    short = git("rev-parse", "--short=10", "HEAD") or "unknown"
    # What is being kept changes while several benchmarks run one after the other.
    changed = git("status", "--porcelain", "--", ".", ":!results/reference")
    return f"{short}, with changes that are not committed" if changed else short


def machine() -> str:
    """Processor, cores, memory, disk and versions; nothing that names the machine."""
    cpu = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    model = re.search(r"^model name\s*: (.+)$", cpu, re.MULTILINE)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    parts = [
        f"{len(os.sched_getaffinity(0))} cores",
        model[1] if model else platform.machine(),
        f"{memory:.0f} GB",
        f"Linux {platform.release().split('-')[0]}",
        f"Python {platform.python_version()}",
        f"temporary files on {file_system(tempfile.gettempdir())}",
    ]
    return ", ".join(parts)


def file_system(folder: str) -> str:
    """Kind of the file system that a folder lies on."""
    mounts = [line.split() for line in Path("/proc/mounts").read_text("utf-8").splitlines()]
    over = [m for m in mounts if f"{folder}/".startswith(f"{m[1].rstrip('/')}/")]
    return max(over, key=lambda mount: len(mount[1]))[2]


def neutral(text: str) -> str:
    """Output without the places of this machine."""
    home = str(Path.home())
    for path, name in ((str(ROOT), "."), (tempfile.gettempdir(), "/tmp"), (home, "~")):
        if len(path) > 1:
            text = text.replace(path, name)
    return text


def run(command: Sequence[str]) -> tuple[int, str]:
    """Exit code and standard output of a command, which is shown while it runs."""
    lines = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as process:
        for line in process.stdout or ():
            print(line, end="", flush=True)
            lines.append(line)
    return process.returncode, "".join(lines)


def main(argv: Sequence[str]) -> int:
    if len(argv) < 2:
        sys.exit(__doc__)
    path, command = Path(argv[0]), argv[1:]
    load = os.getloadavg()[0]
    made_at, began = commit(), datetime.now(UTC)
    code, output = run(command)
    python = "python" if command[0].endswith("python") else command[0]
    text = (
        f"# {path.stem}\n\n    {' '.join([python, *command[1:]])}\n\n"
        f"- commit {made_at}\n- {began:%Y-%m-%d %H:%M} UTC, load {load:.1f} before it began\n"
        f"- {machine()}\n- exit code {code}\n\n```text\n{neutral(output).rstrip()}\n```\n"
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
