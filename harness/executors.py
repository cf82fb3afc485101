"""Where cells are carried out: here, in several processes, on a Ray cluster, or by submitit.

Ray, SLURM and the process pool are the schedulers; there is none of our own. Processes of one
machine append to the run folder themselves (the append is locked). A Ray task or a submitit job
works in a folder of its own and sends it back; the driver merges and appends.
"""

from __future__ import annotations

import asyncio
import fcntl
import io
import os
import shutil
import socket
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from harness.build import environment
from harness.cell import Caps, Cell
from harness.children import ending_children, start_child
from harness.errors import UserError
from harness.prefix import stored_prefixes
from harness.runner import Carry, run_cells
from harness.scratch import Scratch
from harness.settings import Config
from harness.store import RunFolder
from harness.tail import Tail
from harness.types import Record

OnEvent = Callable[[str, str], None]
PRELOADED = ["harness.executors", "openai", "yaml"]
"""Imported once, in the process that all workers are forked from and share memory with."""
LONGEST_PATH = 107 - len("/pymp-12345678/listener-12345678")
"""Bytes of the temporary folder: a socket's path has at most 107."""
RAY_RETRIES = 3
POLL_S = 0.5  # submitit only tells by being asked
USUAL = {"timeout_min": 120, "cpus_per_task": 2}
"""Of a submitit job: a cell of a real model takes minutes to an hour; the model waits, not it."""


def carrier(config: Config, run: RunFolder, on_event: OnEvent) -> Carry:
    """The executor of a configuration. Raises UserError for an unknown kind."""
    kinds = {
        "local": carry_here,
        "processes": carry_in_processes,
        "ray": carry_on_ray,
        "submitit": carry_by_submitit,
    }
    if config.executor.kind not in kinds:
        raise UserError(f"executor.kind: expected one of {', '.join(kinds)}")
    return partial(kinds[config.executor.kind], config, run, on_event)


def carry_here(
    config: Config,
    run: RunFolder,
    on_event: OnEvent,
    cells: Sequence[Cell],
) -> None:
    """All cells in this process's event loop."""
    if cells:
        _tell(asyncio.run(_carry(config, run, on_event, cells, cells)), on_event)


async def _carry(
    config: Config,
    run: RunFolder,
    on_event: OnEvent,
    cells: Sequence[Cell],
    taken: Iterable[Cell],
    stored: Mapping[str, Path] | None = None,
) -> str | None:
    """Carry out those of the cells that are taken; name of the cap that was reached.

    stored: see run_cells.
    """
    tasks = list({cell.loaded.hash: cell.loaded for cell in cells}.values())
    hours = config.run.max_hours
    caps = Caps(config.run.max_usd, config.run.max_tokens, hours * 3600 if hours else None)
    caps.tail = Tail(run.records_path)
    async with environment(config, tasks, run, on_event) as env:
        env.caps = caps
        await run_cells(env, taken, stored)
    return caps.reached()


def _tell(reached: str | None, on_event: OnEvent) -> None:
    if reached:
        on_event("wait", f"{reached} is reached: nothing more is scheduled")


def _ignore(kind: str, text: str) -> None:
    """Events of a child process are seen by the driver in the records."""


def _in_child(
    config: Config, root: Path, cells: Sequence[Cell], stored: Mapping[str, Path], counter: Path
) -> str | None:
    taken = _untaken(cells, counter)
    return asyncio.run(_carry(config, RunFolder(root), _ignore, cells, taken, stored))


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
        counter = Path(folder) / "taken"
        counter.write_bytes(b"0")
        pending = {
            pool.submit(_in_child, share, run.root, cells, stored, counter) for share in shares
        }
        while pending:
            ended, pending = wait(pending, timeout=1.0, return_when=FIRST_COMPLETED)
            for record in tail.new():
                on_event("record", _told(record))
            reached += [future.result() for future in ended]
    _tell(next(filter(None, reached), None), on_event)


def _require_short(folder: str) -> None:
    """The processes talk over a socket in a folder of Python's own below this one."""
    if len(os.fsencode(folder)) > LONGEST_PATH:
        told = f"{folder} is too long a path for the sockets of executor=processes"
        raise UserError(f"TMPDIR: {told} (at most {LONGEST_PATH} bytes); set another")


def _told(record: Record) -> str:
    return f"{record['task']} {record['timing']} {record['arm']}: {record['status']}"


def carry_on_ray(config: Config, run: RunFolder, on_event: OnEvent, cells: Sequence[Cell]) -> None:
    """One remote task per cell; a worker that dies is retried, its records are never lost twice."""
    if not cells:
        return
    ray = _connect(config)
    try:
        remote = ray.remote(max_retries=RAY_RETRIES, retry_exceptions=True)(_away)
        stored = stored_prefixes(run)
        pending = [
            remote.remote(config, cell, _packed_prefix(run, stored.get(cell.key))) for cell in cells
        ]
        while pending:
            ended, pending = ray.wait(pending, num_returns=1)
            _take_in(run, *ray.get(ended[0]), on_event)
    finally:
        ray.shutdown()


def _take_in(run: RunFolder, packed: bytes, records: list[Record], on_event: OnEvent) -> None:
    """What a cell that was run elsewhere has sent back: its files, then its records."""
    _unpack(packed, run.root)
    for record in records:
        record["run_id"] = run.name
        run.append(record)
        on_event("record", _told(record))


def carry_by_submitit(
    config: Config, run: RunFolder, on_event: OnEvent, cells: Sequence[Cell]
) -> None:
    """One job per cell, at most `executor.workers` at once; a lost job is owed, its logs are kept.

    executor.address: submitit's cluster, slurm or local; None takes SLURM where it is.
    executor.parameters: passed on, e.g. slurm_partition, timeout_min, cpus_per_task.
    """
    if not cells:
        return
    jobs = _submitit(config, run.root / "jobs")
    stored, waiting, running, lost = stored_prefixes(run), list(cells), [], 0
    most = config.executor.workers or os.cpu_count() or 1
    while waiting or running:
        while waiting and len(running) < most:
            cell = waiting.pop(0)
            prefix = _packed_prefix(run, stored.get(cell.key))
            running.append(jobs.submit(_away, config, cell, prefix))
        ended = [job for job in running if job.done()]
        for job in ended:
            if error := job.exception():
                lost += 1
                lines = str(error).strip().splitlines() or [type(error).__name__]
                on_event("wait", f"job {job.job_id} was lost, its trials are owed: {lines[-1]}")
            else:
                _take_in(run, *job.result(), on_event)
        running = [job for job in running if job not in ended]
        if not ended:
            time.sleep(POLL_S)
    if not lost:
        shutil.rmtree(run.root / "jobs")


def _submitit(config: Config, folder: Path) -> Any:
    try:
        import submitit
    except ImportError:
        raise UserError("executor=submitit needs it: pip install 'seambench[slurm]'") from None
    try:
        jobs = submitit.AutoExecutor(folder, cluster=config.executor.address)
        jobs.update_parameters(**{**USUAL, **(config.executor.parameters or {})})
    except (ValueError, NameError, RuntimeError, AssertionError) as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise UserError(f"executor: submitit says: {first}") from None
    return jobs


def _connect(config: Config) -> Any:
    try:
        import ray
    except ImportError:
        raise UserError("executor=ray needs Ray: pip install 'seambench[ray]'") from None
    if config.executor.address:
        _require_reachable(config.executor.address)
    try:
        if config.executor.address:
            ray.init(address=config.executor.address, log_to_driver=False)
        else:
            ray.init(
                num_cpus=config.executor.workers,
                include_dashboard=False,
                log_to_driver=False,
                _node_ip_address="127.0.0.1",
            )
    except (ConnectionError, ValueError, RuntimeError) as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise UserError(f"executor.address {config.executor.address!r}: {first}") from None
    return ray


def _require_reachable(address: str) -> None:
    """Ray itself goes on trying for minutes where nobody answers."""
    host, _, port = address.rpartition("//")[2].partition(":")
    if address in ("auto", "local") or not port.isdigit():
        return
    try:
        socket.create_connection((host, int(port)), timeout=5).close()
    except OSError as error:
        told = error.strerror or error
        raise UserError(f"executor.address {address!r}: nobody answers there ({told})") from None


def _away(config: Config, cell: Cell, prefix: bytes | None) -> tuple[bytes, list[Record]]:
    """In a Ray worker or a job: one cell in a folder of its own, sent back with its records."""
    with Scratch() as folder:
        root = Path(folder) / "run"
        root.mkdir()
        if prefix:
            _unpack(prefix, root)
        run = RunFolder(root)
        carry_here(config, run, _ignore, [cell])
        return _pack(root, [p for p in root.iterdir() if p.is_dir()]), run.records()


def _packed_prefix(run: RunFolder, folder: Path | None) -> bytes | None:
    return None if folder is None else _pack(run.root, [folder, run.blobs.folder])


def _pack(root: Path, places: Sequence[Path]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz", compresslevel=1) as archive:
        for place in places:
            archive.add(place, arcname=str(place.relative_to(root)))
    return buffer.getvalue()


def _unpack(packed: bytes, root: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(packed), mode="r:gz") as archive:
        archive.extractall(root, filter="data")
