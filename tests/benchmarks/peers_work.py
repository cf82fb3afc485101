"""What all sides of `make peers` have in common. Standard library alone: each has its own packages.

A sample is one conversation of TURNS turns: in all but the last the model calls one tool, in the
last it ends the work in the way that the loop knows.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

TURNS = 11
MODEL = "gpt-4o-mini"
"""Under a known name, so that mini-swe-agent finds a price and need not look long for one."""
FILE = "README.md"
COMMAND = f"head -n 3 {FILE}"


@dataclass(frozen=True)
class Job:
    """One measurement of one side.

    work: "command" (COMMAND in a shell) or "read" (FILE by a tool that reads files). files: the
    folder that every sample gets a copy of. scratch: an empty folder for workspaces and logs.
    sandbox: ours alone, "auto" or "plain".
    """

    url: str
    work: str
    concurrency: int
    samples: int
    files: str
    scratch: str
    sandbox: str = "auto"


def address(job: Job) -> str:
    """Where the job's conversation is played."""
    return f"{job.url}/{job.work}/v1"


def request(key: str) -> str:
    """What the user asks in a sample; the server knows it again by its key."""
    return f"Sample {key}. Look at the project's files, then say that the work is done."


def carry_out(run: Callable[[Job, list[str], Path], None]) -> None:
    """Run the job of the command line: some samples to warm up, then the measured ones.

    `run` gets the keys of samples and an empty folder. Written to scratch/measured.json: seconds of
    the whole batch, and CPU seconds of this process and of the commands that it waited for.
    """
    job = Job(**json.loads(sys.argv[1]))
    folders = [Path(job.scratch) / name for name in ("warm", "work")]
    for folder in folders:
        folder.mkdir()
    run(job, ["warm-0", "warm-1"], folders[0])
    keys = [f"sample-{number}" for number in range(job.samples)]
    cpu, began = _cpu_s(), time.perf_counter()
    run(job, keys, folders[1])
    measured = {"seconds": time.perf_counter() - began, "cpu_s": _cpu_s() - cpu}
    (Path(job.scratch) / "measured.json").write_text(json.dumps(measured), encoding="utf-8")


def _cpu_s() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)
