"""A run: the plan of cells, what of it is owed, and reserves until a study is complete."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from harness.cell import Arm, Cell, Environment
from harness.cell_run import CellRun
from harness.errors import UserError
from harness.prefix import SeamRule, stored_prefixes
from harness.scratch import Scratch
from harness.settings import CAPS, Config
from harness.starts import Starts
from harness.store import FINAL, RunFolder
from harness.strategies import require_strategy
from harness.tasks import LoadedTask
from harness.text import digest, nearest
from harness.types import BANDS, CONTROLS, Status

OFFSETS = 3
AGENTS = ("loop", "codex")

Carry = Callable[[Sequence[Cell]], None]
"""Carries out cells to their records: here, in processes, or on a cluster (executors.py)."""


def check_plan(config: Config) -> None:
    """Raises UserError for what would only fail in mid-run: strategies, options, seams."""
    for strategy in config.strategies:
        require_strategy(strategy.name, strategy.options, strategy.import_path, strategy.addons)
    if config.agent.kind not in AGENTS:
        raise UserError(f"agent.kind: expected {' or '.join(AGENTS)}, found {config.agent.kind!r}")
    if config.agent.kind == "codex":
        from harness.codex.fit import require_fit

        require_fit(config)
    for name in config.study.controls:
        if name not in CONTROLS:
            raise UserError(f"study.controls: no {name!r}; nearest: {nearest(name, CONTROLS)}")
    if config.seam.kind not in ("progress", "tokens", "turn"):
        raise UserError(f"seam.kind: expected progress, tokens or turn, found {config.seam.kind!r}")
    for at in config.seam.at:
        if config.seam.kind == "progress" and at not in BANDS:
            raise UserError(f"seam.at: no band {at!r}; nearest: {nearest(str(at), BANDS)}")
        if config.seam.kind != "progress" and not isinstance(at, int):
            raise UserError(f"seam.at: expected numbers for {config.seam.kind}, found {at!r}")
    workers = config.executor.workers
    counts = {
        "seam.repeats": config.seam.repeats,
        "seam.count": config.seam.count,
        "study.sample": 1 if config.study.sample is None else config.study.sample,
        "run.concurrency": config.run.concurrency,
        "executor.workers": 1 if workers is None else workers,
    }
    for name, value in counts.items():
        if not isinstance(value, int) or value < 1:
            raise UserError(f"{name}: expected a number of 1 or more, found {value!r}")
    for name in CAPS:
        value = getattr(config.run, name)
        if value is not None and not (isinstance(value, int | float) and value > 0):
            raise UserError(f"run.{name}: expected a number above 0, or null, found {value!r}")


def plan_cells(config: Config, tasks: Sequence[LoadedTask]) -> list[Cell]:
    """All cells of a configuration, in a fixed order."""
    arms = [Arm(s.name, s.options, s.import_path, s.addons) for s in config.strategies]
    arms += [Arm(name, {}) for name in config.study.controls]
    _require_names(arms)
    sharing = [arm for arm in arms if not arm.own_prefix]
    repeats = config.study.repeats or config.seam.repeats
    draws = -(-repeats // len(config.seam.at))
    cells = []
    for loaded, repeat in _drawn(config, [(t, r) for t in tasks for r in range(repeats)]):
        at = config.seam.at[repeat % len(config.seam.at)]
        draw = repeat // len(config.seam.at)
        rule = _rule(config, loaded, at, draw)
        shared = Cell(
            loaded, rule, repeat, draw, sharing, config.study.seed, seams=config.seam.count
        )
        apart = config.study.prefix == "own"
        if sharing and not apart:
            cells.append(shared)
        for number, arm in enumerate(arms):
            if apart:
                # Every arm works for itself from the start: a seed of its own, so other bytes.
                seed = config.study.seed + number * draws
                own = replace(shared, arms=[arm], seed=seed)
                cells.append(replace(own, prefix_kind="own"))
            elif arm.own_prefix:
                cells.append(replace(shared, arms=[arm], prefix_kind="own"))
    return cells


def _require_names(arms: Sequence[Arm]) -> None:
    """Raises UserError where two arms have one name: a name tells no paths."""
    named: dict[str, Arm] = {}
    for arm in arms:
        other = named.setdefault(arm.label, arm)
        if (other.options, other.addons) != (arm.options, arm.addons):
            raise UserError(
                f"strategies: two arms are called {arm.label!r}, since they differ in a path "
                "alone; run them apart, each with a run.name of its own"
            )


def _drawn(
    config: Config, pairs: Sequence[tuple[LoadedTask, int]]
) -> Sequence[tuple[LoadedTask, int]]:
    """The pairs of task and repeat that are run; a sample in the order in which it is drawn."""
    if config.study.sample is None:
        return pairs

    def lot(pair: tuple[LoadedTask, int]) -> str:
        return digest(["sample", pair[0].task.id, pair[1], config.study.seed])

    return sorted(pairs, key=lot)[: config.study.sample]


def _rule(
    config: Config, loaded: LoadedTask, at: str | int, draw: int, further: int = 0
) -> SeamRule:
    """The seam of a cell. The offset is drawn from the key alone, so that order changes nothing."""
    if config.seam.kind != "progress":
        return SeamRule(config.seam.kind, at)
    drawn = int(digest([loaded.task.id, at, draw, config.study.seed])[:8], 16)
    return SeamRule("progress", at, (drawn + further) % OFFSETS)


def trial_ids(cells: Sequence[Cell]) -> list[str]:
    """Ids of all planned trials, in the plan's order."""
    return [name for cell in cells for arm in cell.arms for name in cell.trial_ids(arm)]


def planned_trials(cells: Sequence[Cell]) -> dict[str, int]:
    """Number of planned trials by arm."""
    planned: dict[str, int] = {}
    for cell in cells:
        for arm in cell.arms:
            planned[arm.label] = planned.get(arm.label, 0) + cell.seams
    return planned


def owed_cells(run: RunFolder, cells: Sequence[Cell]) -> list[Cell]:
    """Cells with the arms that have no final record; those with status error are owed again."""
    final = {name for name, head in run.heads().items() if head.status in FINAL}
    owed = []
    for cell in cells:
        arms = [arm for arm in cell.arms if not final.issuperset(cell.trial_ids(arm))]
        if arms:
            owed.append(replace(cell, arms=arms))
    return owed


async def run_cells(
    env: Environment, cells: Iterable[Cell], stored: Mapping[str, Path] | None = None
) -> None:
    """Carry out cells in this process. Records are appended as trials end.

    cells: the next one is taken when there is room for it, so processes may share an iterator's
    source. stored: folders of complete prefixes by cell key; None looks for them.
    """
    prefixes = stored_prefixes(env.run) if stored is None else stored
    gate, left = asyncio.Semaphore(env.config.run.concurrency), iter(cells)
    with Scratch() as scratch:
        starts = Starts(Path(scratch))
        async with asyncio.TaskGroup() as group:
            while True:
                await gate.acquire()
                cell = None if env.caps.reached() else next(left, None)
                if cell is None:
                    gate.release()
                    return
                work = CellRun(env, cell, Path(scratch), gate, starts)
                group.create_task(work.run(cell.arms, prefixes.get(cell.key)))


def run_plan(config: Config, cells: Sequence[Cell], run: RunFolder, carry: Carry) -> None:
    """Run what is owed of the plan, then reserves if the study wants them; put records in order.

    A finished trial is never repeated. Nothing is lost when this is interrupted.
    """
    planned = list(cells)
    carry(owed_cells(run, planned))
    for further in range(1, config.study.reserves + 1):
        if config.study.valid is None or valid_count(config, run) >= config.study.valid:
            break
        if owed_cells(run, planned):  # a cap, or a failure: what was planned comes first
            break
        reserves = reserve_cells(config, run, cells, further)
        if not reserves:
            break
        note_deviation(run, f"{len(reserves)} reserve cells at offset +{further}", reserves)
        planned += reserves
        carry(owed_cells(run, reserves))
    run.sort_records(trial_ids(planned))


def valid_count(config: Config, run: RunFolder) -> int:
    """Scored records of strategies at their first seam; controls do not count."""
    strategies = {strategy.name for strategy in config.strategies}
    first = [h for h in run.heads().values() if h.strategy in strategies and h.seam == 1]
    return sum(head.status == Status.SCORED for head in first)


def reserve_cells(
    config: Config, run: RunFolder, cells: Sequence[Cell], further: int
) -> list[Cell]:
    """For cells with an invalid trial: the same band at another seam position."""
    invalid = {name for name, head in run.heads().items() if head.status == Status.INVALID}
    reserves = []
    for cell in cells:
        if any(cell.trial_id(arm) in invalid for arm in cell.arms):
            rule = _rule(config, cell.loaded, cell.rule.at, cell.draw, further)
            reserves.append(replace(cell, rule=rule))
    return reserves


def note_deviation(run: RunFolder, what: str, cells: Sequence[Cell]) -> None:
    """Append to deviations.jsonl, once, what the registration did not plan."""
    names = [f"{cell.loaded.task.id} {cell.rule.name}+{cell.rule.offset}" for cell in cells]
    line = json.dumps({"what": what, "cells": names}, ensure_ascii=False)
    with (run.root / "deviations.jsonl").open("a+", encoding="utf-8") as file:
        file.seek(0)
        if line not in file.read().splitlines():
            file.write(line + "\n")
