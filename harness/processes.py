"""Cells in several processes of this machine: they draw from one list and share what a run may use.

Each appends its own records to the run folder (the append is locked).
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from harness.carry import OnEvent, carry, tell_cap, told_of
from harness.cell import Cell
from harness.children import ending_children, start_child
from harness.errors import SeambenchError, UserError
from harness.prefix import stored_prefixes
from harness.scratch import Scratch
from harness.settings import Config
from harness.store import RunFolder
from harness.tail import Tail

PRELOADED = ["harness.carry", "openai", "yaml"]
"""Imported once, in the process that all workers are forked from and share memory with."""
LONGEST_PATH = 107 - len("/pymp-12345678/listener-12345678")
"""Bytes of the temporary folder: a socket's path has at most 107."""


def _in_child(
    config: Config, root: Path, cells: Sequence[Cell], stored: Mapping[str, Path], shared: Path
) -> str | None:
    taken, tell = _untaken(cells, shared / "taken"), partial(_tell_driver, shared / "waits")
    return asyncio.run(carry(config, RunFolder(root), tell, cells, taken, stored))


def _tell_driver(file: Path, kind: str, text: str) -> None:
    """A child's waits are told; what else happens to it the driver sees in the records."""
    if kind == "wait":
        with file.open("a", encoding="utf-8") as waits:
            waits.write(json.dumps(text) + "\n")


def _untaken(cells: Sequence[Cell], counter: Path) -> Iterator[Cell]:
    """Cells that no process has taken yet; the counter is a file that all of them know."""
    while True:
        with counter.open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            number = int(file.read())
            file.seek(0)
            file.write(b"%d" % (number + 1))
        if number >= len(cells):
            return
        yield cells[number]


def _shares(config: Config, cells: int) -> list[Config]:
    """A configuration for each process, its concurrency a share of the whole run's."""
    whole = config.run.concurrency
    workers = min(config.executor.workers or os.cpu_count() or 1, whole, cells)
    sizes = [whole // workers + (number < whole % workers) for number in range(workers)]
    return [replace(config, run=replace(config.run, concurrency=size)) for size in sizes]


def carry_in_processes(
    config: Config, run: RunFolder, on_event: OnEvent, cells: Sequence[Cell]
) -> None:
    """Cells spread over processes; each appends its own records to the run folder."""
    if not cells:
        return
    _require_short(tempfile.gettempdir())
    shares = _shares(config, len(cells))
    context = get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    pool = ProcessPoolExecutor(len(shares), mp_context=context, initializer=start_child)
    tail, stored = Tail.from_end(run.records_path), stored_prefixes(run)
    reached: list[str | None] = []
    with Scratch() as folder, pool, ending_children(pool):
        shared = Path(folder)
        (shared / "taken").write_bytes(b"0")
        waits = Tail(shared / "waits")
        pending = {
            pool.submit(_in_child, share, run.root, cells, stored, shared) for share in shares
        }
        while pending:
            ended, pending = wait(pending, timeout=1.0, return_when=FIRST_COMPLETED)
            for text in waits.new():
                on_event("wait", text)
            for record in tail.new():
                on_event("record", told_of(record))
            reached += [_result(future) for future in ended]
    tell_cap(next(filter(None, reached), None), on_event)


def _result(ended: Future[str | None]) -> str | None:
    try:
        return ended.result()
    except BrokenProcessPool:
        told = "a process of the run was killed from outside, maybe for want of memory"
        raise SeambenchError(
            f"{told}; nothing finished is lost, the same command goes on"
        ) from None


def _require_short(folder: str) -> None:
    """The processes talk over a socket in a folder of Python's own below this one."""
    if len(os.fsencode(folder)) > LONGEST_PATH:
        told = f"{folder} is too long a path for the sockets of executor=processes"
        raise UserError(f"TMPDIR: {told} (at most {LONGEST_PATH} bytes); set another")
