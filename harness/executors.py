"""Where cells are carried out: here, in several processes, on a Ray cluster, or by submitit.

Ray, SLURM and the process pool are the schedulers; there is none of our own. Processes of one
machine append to the run folder themselves (the append is locked). A Ray task or a submitit job
works in a folder of its own and sends it back; the driver merges and appends.
"""

from __future__ import annotations

import asyncio
import io
import os
import shutil
import socket
import tarfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from harness.carry import OnEvent, carry, tell_cap, told_of
from harness.cell import Cell
from harness.errors import UserError
from harness.prefix import stored_prefixes
from harness.processes import carry_in_processes
from harness.runner import Carry
from harness.scratch import Scratch
from harness.settings import Config
from harness.store import RunFolder
from harness.types import Record

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
        tell_cap(asyncio.run(carry(config, run, on_event, cells, cells)), on_event)


def _ignore(kind: str, text: str) -> None:
    """Events of a cell run elsewhere are seen by the driver in its records."""


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
        on_event("record", told_of(record))


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
