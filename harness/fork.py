"""One arm of a cell: from the frozen prefix over its seam, or its seams in a row, to records."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from harness.agent import Agent
from harness.cell import Arm, Cell, Environment
from harness.errors import BoundaryError, InvalidTrial, WorkspaceOverflow
from harness.model import Model, cost
from harness.prefix import Frozen, freeze_again, save_prefix
from harness.record import Plan, base_record
from harness.settings import Config
from harness.starts import unpacked
from harness.strategies.base import SUMMARY_PROMPT, Budget, Complete, Context, Strategy
from harness.text import glob_match, task_handle
from harness.transcript import Transcript, read_turns
from harness.trial import run_fork
from harness.types import Record, Status, Usage
from harness.user import ScriptedUser
from harness.workspace import Workspace


@dataclass
class Fork:
    """Carries out one arm. `scratch`: folder for workspaces and private folders."""

    env: Environment
    cell: Cell
    arm: Arm
    scratch: Path

    async def run(self, frozen: Frozen) -> list[Record]:
        """The records of all its seams, in order: what could not be run is told in its record."""
        records: list[Record] = []
        root = self.scratch / f"trial-{self.cell.trial_id(self.arm)}"
        try:
            workspace = await unpacked(frozen.tar, root)
            try:
                await self._seams(workspace, frozen, records)
            finally:
                await asyncio.to_thread(workspace.remove)
        except (InvalidTrial, BoundaryError) as error:
            first = min(len(records) + 1, self.cell.seams)
            later = range(first, self.cell.seams + 1)
            records[first - 1 :] = [self.failed(frozen, error, seam) for seam in later]
        return records

    async def _seams(self, workspace: Workspace, frozen: Frozen, records: list[Record]) -> None:
        strategy = self.arm.make(self.cell.loaded, frozen)
        for seam in range(1, self.cell.seams + 1):
            if seam > 1:
                key = self.cell.trial_id(self.arm, seam)
                await asyncio.to_thread(save_prefix, self.env.run, frozen, key)
            trial_id = self.cell.trial_id(self.arm, seam)
            folder = self.env.run.trial(trial_id)
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            with (folder / "events.jsonl").open("w", encoding="utf-8") as file:
                transcript = Transcript(file, frozen.events)
                agent = make_agent(self.env, self.cell, workspace, transcript, trial_id)
                private = self.scratch / f"private-{self.cell.trial_id(self.arm)}"
                ctx = make_context(self.env, self.cell, agent, strategy, private)
                plan = self._plan(strategy, seam)
                try:
                    record = await run_fork(agent, ctx, frozen, plan, self.cell.loaded)
                    if ctx.extraction != Usage():
                        _add_extraction(record, ctx.extraction, self.env.config)
                    # A record must not outlive its transcript.
                    await asyncio.to_thread(os.fsync, file.fileno())
                    records.append(record)
                    if seam == self.cell.seams:
                        return
                    frozen = freeze_again(agent, self.cell.loaded, frozen, trial_id)
                    reason = _over(agent, frozen)
                except WorkspaceOverflow:
                    reason = "workspace_overflow"
                finally:
                    await agent.close(folder)
            if reason:
                later = range(seam + 1, self.cell.seams + 1)
                records.extend(self._not_reached(frozen, reason, n) for n in later)
                return

    def failed(self, frozen: Frozen | None, error: Exception, seam: int = 1) -> Record:
        """The record of a trial without a score: invalid, or error (owed again)."""
        boundary = isinstance(error, BoundaryError)
        status = Status.ERROR if boundary else Status.INVALID
        reason = f"{error.boundary}:{error.kind}" if boundary else str(error)
        record = self._unscored(frozen, status, reason, seam)
        record["attempts"] = [{"status": status, "reason": reason, "text": str(error)}]
        return record

    def _not_reached(self, frozen: Frozen, reason: str, seam: int) -> Record:
        """A later seam of an agent that had stopped: counted, not scored."""
        return self._unscored(frozen, Status.UNSCORED, reason, seam)

    def _unscored(self, frozen: Frozen | None, status: str, reason: str, seam: int) -> Record:
        record = base_record(self._plan(Strategy(), seam), self.cell.loaded, frozen)
        record["status"], record["reason"] = str(status), reason
        if record["seam"] is not None:  # where the last one fell that was reached
            record["seam"] = {**record["seam"], "index": seam}
        record["started_at"] = datetime.now(UTC).isoformat(timespec="milliseconds")
        return record  # type: ignore[return-value]

    def _plan(self, strategy: Strategy, seam: int) -> Plan:
        config = self.env.config
        return Plan(
            trial_id=self.cell.trial_id(self.arm, seam),
            columns=self._columns(seam),
            strategy=strategy,
            rubric=self.env.rubric,
            to_completion=config.run.to_completion and seam == self.cell.seams,
            max_turns=config.run.max_turns,
            prices=config.model.prices,
            summary_prices=(config.summariser or config.model).prices,
            gap=config.seam.gap if seam < self.cell.seams else 0,
        )

    def _columns(self, seam: int) -> Mapping[str, Any]:
        config = self.env.config
        return {
            "run_id": self.env.run.name,
            "study": config.study.name,
            "arm": self.arm.label,
            "strategy": self.arm.name,
            "addons": self.arm.addon_labels,
            "options": dict(self.arm.options),
            # What a failed trial says of itself; a scored one says what the endpoint answered.
            "model": "worker" if config.model.kind == "worker" else config.model.name,
            "simulated": config.model.kind == "worker",
            **_agent_columns(self.env),
            "repeat": self.cell.repeat,
            "timing": self.cell.rule.name,
            "prefix_draw": self.cell.draw,
            "compaction_draw": 0,
            "continuation_draw": 0,
            # After the first seam every arm has a history of its own.
            "prefix_kind": self.cell.prefix_kind if seam == 1 else "own",
            "budget": asdict(config.budget),
            **_other_models(config),
        }


def _other_models(config: Config) -> dict[str, Any]:
    """Columns on a local model's file and on other roles' own models; none where there is none."""
    found: dict[str, Any] = {}
    if config.model.sha256:
        found["model_sha256"] = config.model.sha256
    for role in ("summariser", "extractor"):
        if other := getattr(config, role):
            found[role] = {"name": other.name, "sha256": other.sha256}
    return found


def _add_extraction(record: Record, used: Usage, config: Config) -> None:
    """Count what an extractor of its own used as part of the compaction, at its own prices."""
    tokens, paid = record["tokens"], record["cost_usd"]
    assert config.extractor and tokens and paid
    tokens["compaction"] = asdict(Usage(**tokens["compaction"]) + used)
    for kind, before in paid["compaction"].items():
        own = cost(used, config.extractor.prices, cached=kind == "cached")
        paid["compaction"][kind] = None if before is None or own is None else before + own


def _agent_columns(env: Environment) -> Mapping[str, Any]:
    """Which agent works, and what keeps its commands in."""
    if env.config.agent.kind == "codex":
        from harness.codex.make import columns

        return columns(env.sandbox)
    return {"agent": env.config.agent.kind, "sandbox": env.sandbox.name}


def _over(agent: Agent, frozen: Frozen) -> str | None:
    """Why no further seam can be reached; an outcome of the trial before it."""
    if not frozen.seam["seam"]["open"]:
        return "done_before_seam"
    turns = read_turns(agent.transcript.events)
    return "stopped_before_seam" if not turns or turns[-1].finished else None


def make_agent(
    env: Environment,
    cell: Cell,
    workspace: Workspace,
    transcript: Transcript,
    trial_id: str | None = None,
) -> Agent:
    """The agent of a trial after its seam, or of a prefix where no trial is given."""
    task = cell.loaded.task
    parts = {
        "model": env.model,
        "model_name": env.namer(cell.loaded, cell.seed + cell.draw, prefix=trial_id is None),
        "workspace": workspace,
        "sandbox": env.sandbox,
        "blobs": env.run.blobs,
        "transcript": transcript,
        "user": ScriptedUser(task, transcript.write),
        "plan": env.config.plan_tool,
        "scope": trial_id or cell.key,
        "on_wait": lambda seconds, kind: env.on_event(
            "wait", f"{task.id}: waiting {seconds:.0f} s ({kind})"
        ),
    }
    if env.config.agent.kind == "codex":
        from harness.codex.make import codex_agent

        return codex_agent(env.config, env.run.root, parts)
    return Agent(**parts)


def make_context(
    env: Environment, cell: Cell, agent: Agent, strategy: Strategy, folder: Path
) -> Context:
    """What a strategy is given; nothing in it comes from the fixture."""

    asked_with = env.config.summariser or env.config.model

    def asking(model: Model, name: str | None = None) -> Complete:
        return partial(model.complete, model_name=name, on_wait=agent.on_wait, scope=agent.scope)

    def write(path: str, text: str) -> None:
        if not glob_match(path, strategy.owned):
            raise ValueError(f"{strategy.name} writes {path!r}, which it does not own")
        agent.workspace.lay(path, text.encode("utf-8"))

    return Context(
        handle=task_handle(cell.loaded.hash),
        workspace=agent.workspace,
        complete=asking(env.summariser) if env.summariser else asking(env.model, agent.model_name),
        extractor=asking(env.extractor) if env.extractor else None,
        budget=Budget(**asdict(env.config.budget)),
        folder=folder,
        write=write,
        summary_prompt=asked_with.summary_prompt or SUMMARY_PROMPT,
    )
