"""One cell of a run: a task at a seam; its prefix is run once and forked into every arm."""

from __future__ import annotations

import asyncio
import json
import random
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from harness.agent import Agent
from harness.config import Config
from harness.controls import Control
from harness.errors import BoundaryError, InvalidTrial
from harness.model import Model
from harness.prefix import Frozen, SeamRule, load_prefix, run_prefix, save_prefix
from harness.rubric import Rubric
from harness.sandbox import Sandbox
from harness.store import RunFolder
from harness.strategies import default_options, make_strategy
from harness.strategies.base import Budget, Context, Strategy
from harness.tasks import LoadedTask
from harness.text import digest
from harness.transcript import Transcript
from harness.trial import Plan, base_record, run_fork
from harness.types import CONTROLS, Record
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
    prefix_kind: str = "shared"

    @property
    def key(self) -> str:
        """Identity of the prefix within a run."""
        return digest([self.loaded.hash, asdict(self.rule), self.draw, self.seed])[:16]

    def trial_id(self, arm: Arm) -> str:
        return digest([self.key, arm.name, dict(arm.options), arm.import_path])[:16]


@dataclass
class Caps:
    """Limits on a whole run: once one is reached nothing more is scheduled. None: no limit."""

    usd: float | None = None
    tokens: int | None = None
    seconds: float | None = None
    began: float = field(default_factory=time.monotonic)
    spent_usd: float = 0.0
    spent_tokens: int = 0
    counted: set[str] = field(default_factory=set)

    def add(self, record: Record) -> None:
        """Count what a record cost; a shared prefix once."""
        for phase, used in (record.get("tokens") or {}).items():
            name = str(record.get("prefix_hash") if phase == "prefix" else record["trial_id"])
            if (name + phase) in self.counted:
                continue
            self.counted.add(name + phase)
            self.spent_tokens += used["input"] + used["output"]
            self.spent_usd += (record.get("cost_usd") or {}).get(phase, {}).get("cached") or 0.0

    def reached(self) -> str | None:
        """Name of the limit that has been reached."""
        if self.usd is not None and self.spent_usd >= self.usd:
            return "run.max_usd"
        if self.tokens is not None and self.spent_tokens >= self.tokens:
            return "run.max_tokens"
        if self.seconds is not None and time.monotonic() - self.began >= self.seconds:
            return "run.max_hours"
        return None


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
    caps: Caps = field(default_factory=Caps)


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
            async with self.gate:
                if self.env.caps.reached():
                    return
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
        self.env.on_event("prefix", f"{self.cell.loaded.task.id} {self.cell.rule.name}")
        root = self.scratch / f"prefix-{self.cell.key}"
        workspace = Workspace.create(self.cell.loaded.files, root)
        agent = self._agent(workspace, Transcript(), prefix=True)
        max_turns = self.env.config.run.max_turns
        try:
            frozen = await run_prefix(
                agent, self.cell.loaded, self.cell.rule, max_turns=max_turns, owned=[]
            )
        finally:
            workspace.remove()
        self._require_new(frozen)
        for data in self.cell.loaded.files.values():
            self.env.run.blobs.put(data)
        save_prefix(self.env.run, frozen, self.cell.key)
        return frozen

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
        workspace = Workspace.restore(frozen.tar, root)
        try:
            with (folder / "events.jsonl").open("w", encoding="utf-8") as file:
                agent = self._agent(workspace, Transcript(file, frozen.events), prefix=False)
                ctx = self._context(agent, frozen, self.scratch / f"private-{trial_id}")
                plan = self._plan(arm, arm.make(self.cell.loaded, frozen))
                return await run_fork(agent, ctx, frozen, plan, self.cell.loaded)
        finally:
            workspace.remove()

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
            "prefix_kind": self.cell.prefix_kind,
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
        self.env.caps.add(record)
        told = f"{self.cell.loaded.task.id} {self.cell.rule.name} {arm.label}: {record['status']}"
        self.env.on_event("record", told)
