"""Cells carried out in this process: whatever schedules them ends here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from harness.build import environment
from harness.cell import Caps, Cell
from harness.runner import run_cells
from harness.settings import Config
from harness.store import RunFolder
from harness.tail import Tail
from harness.types import Record

OnEvent = Callable[[str, str], None]


async def carry(
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


def tell_cap(reached: str | None, on_event: OnEvent) -> None:
    if reached:
        on_event("wait", f"{reached} is reached: nothing more is scheduled")


def told_of(record: Record) -> str:
    """A record in one line of progress."""
    return f"{record['task']} {record['timing']} {record['arm']}: {record['status']}"
