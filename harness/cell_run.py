"""Carrying out one cell: its prefix is run once, frozen, and forked into every arm."""

from __future__ import annotations

import asyncio
import fcntl
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.cell import Arm, Cell, Environment
from harness.errors import BoundaryError, ContextOverflow, InvalidTrial, WorkspaceOverflow
from harness.fork import Fork, make_agent, make_context
from harness.guard import guarded
from harness.prefix import Frozen, load_prefix, run_prefix, save_prefix
from harness.starts import Starts
from harness.text import digest
from harness.transcript import Transcript
from harness.types import Record, Setup


@dataclass
class CellRun:
    """Carries out one cell: its prefix, unless stored, and the forks that are owed.

    gate: room for trials. Whoever calls `run` has entered it; the prefix leaves it.
    """

    env: Environment
    cell: Cell
    scratch: Path
    gate: asyncio.Semaphore
    starts: Starts

    async def run(self, owed: Sequence[Arm], stored: Path | None) -> None:
        """Run the owed arms; order is shuffled by seed so that no arm always comes first."""
        try:
            try:
                frozen = load_prefix(stored) if stored else await self._prefix()
            finally:
                self.gate.release()
        except (InvalidTrial, BoundaryError) as error:
            for arm in owed:
                for seam in range(1, self.cell.seams + 1):
                    await self._append(arm, self._fork_of(arm).failed(None, error, seam))
            return
        order = list(owed)
        random.Random(digest([self.cell.key, "order"])).shuffle(order)
        async with asyncio.TaskGroup() as group:
            for arm in order:
                group.create_task(self._fork(arm, frozen))

    async def _prefix(self) -> Frozen:
        cell, env = self.cell, self.env
        env.on_event("prefix", f"{cell.loaded.task.id} {cell.rule.name}")
        # A strategy with a prefix of its own is there from the start, all others from the seam on.
        strategy, setup = cell.arms[0].strategy() if cell.arms[0].own_prefix else None, Setup()
        with guarded(strategy):
            setup = strategy.start() if strategy else setup
            laid_down = {path: text.encode("utf-8") for path, text in setup.files.items()}
        root = self.scratch / f"prefix-{cell.key}"
        files = {**cell.loaded.files, **laid_down}
        workspace = await self.starts.workspace(files, root)
        agent = make_agent(env, cell, workspace, Transcript())
        try:
            if strategy:
                private = self.scratch / f"private-prefix-{cell.key}"
                agent.strategy = strategy
                agent.ctx = make_context(env, cell, agent, strategy, private)
            frozen = await run_prefix(
                agent,
                cell.loaded,
                cell.rule,
                max_turns=env.config.run.max_turns,
                instructions=setup.instructions,
            )
        except (ContextOverflow, WorkspaceOverflow) as error:
            raise InvalidTrial("overflow_before_seam") from error
        finally:
            await agent.close()
            await asyncio.to_thread(workspace.remove)
        await asyncio.to_thread(self._keep, frozen, laid_down)
        return frozen

    def _keep(self, frozen: Frozen, laid_down: Mapping[str, bytes]) -> None:
        for files in (self.cell.loaded.files, laid_down):
            self.env.run.blobs.put_all(files, files.__getitem__)
        with (self.env.run.root / ".prefixes").open("w", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # of two that end together, one comes first
            self._require_new(frozen)
            save_prefix(self.env.run, frozen, self.cell.key)

    def _require_new(self, frozen: Frozen) -> None:
        """Two shared prefixes of a task with the same bytes would count one observation twice."""
        seam = self.env.run.prefix(frozen.hash) / "seam.json"
        if self.cell.prefix_kind == "shared" and seam.exists():
            key = json.loads(seam.read_text(encoding="utf-8"))["key"]
            if key != self.cell.key:
                raise InvalidTrial(f"same_prefix_as:{key}")

    async def _fork(self, arm: Arm, frozen: Frozen) -> None:
        async with self.gate:
            if self.env.caps.reached():
                return
            for record in await self._fork_of(arm).run(frozen):
                await self._append(arm, record)

    def _fork_of(self, arm: Arm) -> Fork:
        return Fork(self.env, self.cell, arm, self.scratch)

    async def _append(self, arm: Arm, record: Record) -> None:
        await asyncio.to_thread(self.env.run.append, record)
        told = f"{self.cell.loaded.task.id} {self.cell.rule.name} {arm.label}: {record['status']}"
        self.env.on_event("record", told)
