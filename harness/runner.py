"""A run: plan, prefixes, forks, records. One prefix per task and seam, forked into every arm."""

from __future__ import annotations

import asyncio
import random
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from harness.agent import Agent
from harness.config import Config
from harness.controls import Control
from harness.errors import BoundaryError, InvalidTrial, UserError
from harness.model import Model
from harness.prefix import Frozen, SeamRule, load_prefix, run_prefix, save_prefix, stored_prefixes
from harness.rubric import Rubric
from harness.sandbox import Sandbox
from harness.store import FINAL, RunFolder
from harness.strategies import default_options, make_strategy
from harness.strategies.base import Budget, Context, Strategy
from harness.tasks import LoadedTask
from harness.text import digest, nearest
from harness.transcript import Transcript
from harness.trial import Plan, base_record, run_fork
from harness.types import BANDS, CONTROLS, Record
from harness.user import ScriptedUser
from harness.workspace import Workspace


class Namer(Protocol):
    """Name of the model to ask for, for a task: templates are filled here."""

    def __call__(self, task: LoadedTask, seed: int, *, prefix: bool) -> str: ...


@dataclass(frozen=True)
class Arm:
    """A strategy with its options, or a control. `label` is the registered name."""

    name: str
    options: Mapping[str, Any]
    import_path: str | None = None

    @property
    def label(self) -> str:
        usual = {} if self.name in CONTROLS else default_options(self.name, self.import_path)
        changed = {k: v for k, v in self.options.items() if v != usual.get(k)}
        told = ",".join(f"{k}={_short(v)}" for k, v in sorted(changed.items()))
        return f"{self.name}[{told}]" if told else self.name

    def make(self, loaded: LoadedTask, frozen: Frozen) -> Strategy:
        if self.name in CONTROLS:
            seam = {"facts": frozen.seam["facts"], "done": frozen.seam["seam"]["done"]}
            return Control(self.name, loaded.task, seam)
        return make_strategy(self.name, self.options, self.import_path)


def _short(value: Any) -> str:
    return "+".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


@dataclass(frozen=True)
class Cell:
    """One prefix of the plan and the arms forked from it: (task, seam, draw)."""

    loaded: LoadedTask
    rule: SeamRule
    repeat: int
    draw: int
    arms: Sequence[Arm]
    seed: int

    @property
    def key(self) -> str:
        """Identity of the prefix within a run."""
        return digest([self.loaded.hash, asdict(self.rule), self.draw, self.seed])[:16]

    def trial_id(self, arm: Arm) -> str:
        return digest([self.key, arm.name, dict(arm.options), arm.import_path])[:16]


@dataclass
class Environment:
    """What all trials of a run share."""

    config: Config
    rubric: Rubric
    model: Model
    namer: Namer
    sandbox: Sandbox
    run: RunFolder
    on_event: Callable[[str, str], None]


def check_plan(config: Config) -> None:
    """Raises UserError for what would only fail in mid-run: strategies, options, seams."""
    for strategy in config.strategies:
        make_strategy(strategy.name, strategy.options, strategy.import_path)
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
    for name, value in (
        ("seam.repeats", config.seam.repeats),
        ("run.concurrency", config.run.concurrency),
    ):
        if not isinstance(value, int) or value < 1:
            raise UserError(f"{name}: expected a number of 1 or more, found {value!r}")


def plan_cells(config: Config, tasks: Sequence[LoadedTask]) -> list[Cell]:
    """All cells of a configuration, in a fixed order."""
    arms = [Arm(s.name, s.options, s.import_path) for s in config.strategies]
    arms += [Arm(name, {}) for name in config.study.controls]
    cells = []
    for loaded in tasks:
        for repeat in range(config.seam.repeats):
            at = config.seam.at[repeat % len(config.seam.at)]
            draw = repeat // len(config.seam.at)
            # The offset is drawn from the key alone, so that order and concurrency change nothing.
            offset = int(digest([loaded.task.id, at, draw, config.study.seed])[:8], 16) % 3
            rule = SeamRule(config.seam.kind, at, offset if config.seam.kind == "progress" else 0)
            cells.append(Cell(loaded, rule, repeat, draw, arms, config.study.seed))
    return cells


async def run_cells(env: Environment, cells: Sequence[Cell]) -> list[Record]:
    """Run what is owed of the plan and return all records, in the plan's order.

    A finished trial is never repeated; one with status error is. Records are appended as trials
    end; nothing is lost when this is interrupted.
    """
    final = {r["trial_id"]: r for r in env.run.records() if r["status"] in FINAL}
    prefixes = stored_prefixes(env.run)
    gate = asyncio.Semaphore(env.config.run.concurrency)
    with tempfile.TemporaryDirectory(prefix="seambench-") as scratch:
        async with asyncio.TaskGroup() as group:
            for cell in cells:
                owed = [arm for arm in cell.arms if cell.trial_id(arm) not in final]
                if owed:
                    stored = prefixes.get(cell.key)
                    work = CellRun(env, cell, Path(scratch), gate)
                    group.create_task(work.run(owed, stored))
    env.run.sort_records([cell.trial_id(arm) for cell in cells for arm in cell.arms])
    return env.run.records()


@dataclass
class CellRun:
    """Carries out one cell: its prefix, unless stored, and the forks that are owed."""

    env: Environment
    cell: Cell
    scratch: Path
    gate: asyncio.Semaphore

    async def run(self, owed: Sequence[Arm], stored: Path | None) -> None:
        """Run the owed arms; order is shuffled by seed so that no arm always comes first."""
        try:
            frozen = load_prefix(stored) if stored else await self._prefix()
        except (InvalidTrial, BoundaryError) as error:
            for arm in owed:
                self._append(arm, self._failed(arm, None, error))
            return
        order = list(owed)
        random.Random(digest([self.cell.key, "order"])).shuffle(order)
        async with asyncio.TaskGroup() as group:
            for arm in order:
                group.create_task(self._fork(arm, frozen))

    async def _prefix(self) -> Frozen:
        async with self.gate:
            self.env.on_event("prefix", f"{self.cell.loaded.task.id} {self.cell.rule.name}")
            root = self.scratch / f"prefix-{self.cell.key}"
            workspace = Workspace.create(self.cell.loaded.files, root)
            agent = self._agent(workspace, Transcript(), prefix=True)
            try:
                frozen = await run_prefix(
                    agent,
                    self.cell.loaded,
                    self.cell.rule,
                    max_turns=self.env.config.run.max_turns,
                    owned=[],
                )
            finally:
                shutil.rmtree(root)
            for data in self.cell.loaded.files.values():
                self.env.run.blobs.put(data)
            save_prefix(self.env.run, frozen, self.cell.key)
            return frozen

    async def _fork(self, arm: Arm, frozen: Frozen) -> None:
        async with self.gate:
            try:
                record = await self._trial(arm, frozen)
            except (InvalidTrial, BoundaryError) as error:
                record = self._failed(arm, frozen, error)
            self._append(arm, record)

    async def _trial(self, arm: Arm, frozen: Frozen) -> Record:
        trial_id = self.cell.trial_id(arm)
        root = self.scratch / f"trial-{trial_id}"
        folder = self.env.run.trial(trial_id)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            workspace = Workspace.restore(frozen.tar, root)
            with (folder / "events.jsonl").open("w", encoding="utf-8") as file:
                agent = self._agent(workspace, Transcript(file, frozen.events), prefix=False)
                ctx = self._context(agent, frozen, self.scratch / f"private-{trial_id}")
                plan = self._plan(arm, arm.make(self.cell.loaded, frozen))
                return await run_fork(agent, ctx, frozen, plan, self.cell.loaded)
        finally:
            shutil.rmtree(root, ignore_errors=True)

    def _agent(self, workspace: Workspace, transcript: Transcript, *, prefix: bool) -> Agent:
        return Agent(
            model=self.env.model,
            model_name=self.env.namer(self.cell.loaded, self._seed(), prefix=prefix),
            workspace=workspace,
            sandbox=self.env.sandbox,
            blobs=self.env.run.blobs,
            transcript=transcript,
            user=ScriptedUser(self.cell.loaded.task, transcript.write),
            plan=self.env.config.plan_tool,
            on_wait=lambda seconds, kind: self.env.on_event(
                "wait", f"{self.cell.loaded.task.id}: waiting {seconds:.0f} s ({kind})"
            ),
        )

    def _seed(self) -> int:
        return self.cell.seed + self.cell.draw

    def _context(self, agent: Agent, frozen: Frozen, folder: Path) -> Context:
        async def complete(messages: list[Any], **limits: Any) -> Any:
            return await self.env.model.complete(
                messages, model_name=agent.model_name, on_wait=agent.on_wait, **limits
            )

        return Context(
            handle=digest(["task", self.cell.loaded.hash])[:16],
            workspace=agent.workspace,
            complete=complete,
            budget=Budget(**asdict(self.env.config.budget)),
            folder=folder,
        )

    def _plan(self, arm: Arm, strategy: Strategy) -> Plan:
        config = self.env.config
        return Plan(
            trial_id=self.cell.trial_id(arm),
            columns=self._columns(arm),
            strategy=strategy,
            rubric=self.env.rubric,
            to_completion=config.run.to_completion,
            max_turns=config.run.max_turns,
            prices=config.model.prices,
        )

    def _columns(self, arm: Arm) -> dict[str, Any]:
        config = self.env.config
        return {
            "run_id": self.env.run.name,
            "study": config.study.name,
            "arm": arm.label,
            "strategy": arm.name,
            "addons": [],
            "options": dict(arm.options),
            "sandbox": self.env.sandbox.name,
            "model": config.model.name,
            "agent": "loop",
            "repeat": self.cell.repeat,
            "timing": self.cell.rule.name,
            "prefix_draw": self.cell.draw,
            "compaction_draw": 0,
            "continuation_draw": 0,
            "prefix_kind": "shared",
            "budget": asdict(config.budget),
        }

    def _failed(self, arm: Arm, frozen: Frozen | None, error: Exception) -> Record:
        """The record of a trial without a score: invalid, or error (owed again)."""
        boundary = isinstance(error, BoundaryError)
        plan = self._plan(arm, Strategy())
        record: dict[str, Any] = base_record(plan, self.cell.loaded, frozen)
        record["status"] = "error" if boundary else "invalid"
        record["reason"] = f"{error.boundary}:{error.kind}" if boundary else str(error)
        attempt = {"status": record["status"], "reason": record["reason"], "text": str(error)}
        record["attempts"] = [attempt]
        record["started_at"] = datetime.now(UTC).isoformat(timespec="milliseconds")
        return record  # type: ignore[return-value]

    def _append(self, arm: Arm, record: Record) -> None:
        self.env.run.append(record)
        told = f"{self.cell.loaded.task.id} {self.cell.rule.name} {arm.label}: {record['status']}"
        self.env.on_event("record", told)
