"""One trial on objects already built: restore, compact, recover, take turns, score, record."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime

from harness import tokens
from harness.agent import Agent
from harness.checks import Change, holds
from harness.completion import check_completion
from harness.errors import ContextOverflow, InvalidTrial, WorkspaceOverflow
from harness.guard import guarded
from harness.measures import Stored, over, score
from harness.prefix import Frozen
from harness.record import Outcome, Plan, make_record
from harness.strategies.base import Context, Strategy
from harness.tasks import LoadedTask
from harness.text import digest
from harness.transcript import Event, Turn, work_of
from harness.types import Compaction, Message, Record

RECOVERY_TURNS = 6


async def run_fork(
    agent: Agent, ctx: Context, frozen: Frozen, plan: Plan, task: LoadedTask
) -> Record:
    """From a frozen prefix to a record: the whole of a trial after the seam.

    The agent's workspace is the restored snapshot and its transcript begins at the prefix.
    Raises InvalidTrial for faults of the harness, and the boundary errors of `Agent.take_turn`.
    """
    started, began = datetime.now(UTC), time.perf_counter()
    if agent.workspace.manifest() != frozen.seam["manifest"]:
        raise InvalidTrial("snapshot_differs")
    agent.turn = frozen.seam["seam"]["turn"]
    agent.resume_from(frozen.session, frozen.events)
    agent.strategy, agent.ctx = plan.strategy, ctx
    outcome = await _compact(agent, plan.strategy, ctx)
    try:
        await _recover(agent, plan.strategy, ctx)
        await _follow(agent, frozen, plan, task)
    except ContextOverflow:
        outcome.reason = "context_overflow"
    except WorkspaceOverflow:
        outcome.reason = "workspace_overflow"
    if plan.to_completion and outcome.reason != "workspace_overflow":
        await _complete(agent, task)
    outcome.notes = (*outcome.compaction.notes, *ctx.notes)
    stored = Stored(
        task.task, frozen.seam, frozen.events, agent.transcript.events, agent.blobs.text
    )
    scored = score(stored, plan.rubric)
    agent.clock.add("trial", time.perf_counter() - began)
    return make_record(agent, frozen, plan, task, outcome, scored, started)


async def _compact(agent: Agent, strategy: Strategy, ctx: Context) -> Outcome:
    """Cut the view: here the history is replaced by what the strategy makes of it."""
    history = agent.transcript.view
    began = time.perf_counter()
    before = tokens.count_view(history)
    with guarded(strategy):
        try:
            compaction = await agent.compact(strategy, ctx)
        except ContextOverflow:  # nobody could sum it up: the view stays as it was
            compaction = Compaction(history, noop=True, notes=("summary_overflow",))
        agent.clock.add("compaction", time.perf_counter() - began)
        require_whole_calls(compaction.view)
        noop = compaction.noop or tokens.count_view(compaction.view) >= before
        usage = compaction.usage + ctx.usage
        digest([compaction.view, compaction.artefacts])  # can it be written down?
    event: Event = {
        "artefacts": compaction.artefacts,
        "usage": asdict(usage),
        "noop": noop,
        "notes": [*compaction.notes, *ctx.notes],
    }
    agent.transcript.compact(compaction.view, agent.turn + 1, event)
    await agent.note_owned()
    return Outcome(replace(compaction, noop=noop), before, compaction_usage=usage)


def require_whole_calls(view: Sequence[Message]) -> None:
    """A tool result that lost its call makes the trial invalid: real endpoints refuse it."""
    known: set[str] = set()
    for message in view:
        known.update(call["id"] for call in message.get("tool_calls") or [])
        if message["role"] == "tool" and message["tool_call_id"] not in known:
            raise InvalidTrial("tool_result_without_call")


async def _recover(agent: Agent, strategy: Strategy, ctx: Context) -> None:
    """The declared recovery phase, step by step, at most RECOVERY_TURNS in all."""
    agent.phase = "recovery"
    turns: list[Turn] = []
    while len(turns) < RECOVERY_TURNS:
        with guarded(strategy):
            step = await strategy.recover(agent.transcript.view, turns, ctx)
            if step is None:
                break
            digest([step.messages, step.turns, step.confirm])
        for message in step.messages:
            agent.transcript.add(message, agent.turn + 1, "recovery")
        agent.confirm = step.confirm
        for _ in range(min(step.turns, RECOVERY_TURNS - len(turns))):
            turns.append(await agent.take_turn())
            if not turns[-1].calls or turns[-1].finished:
                break
        if not step.turns or turns[-1].finished:
            break
    agent.phase = "work"


async def _follow(agent: Agent, frozen: Frozen, plan: Plan, task: LoadedTask) -> None:
    """Turns until every window is over and a correct step was seen, or as far as registered."""
    texts = {path: agent.blobs.text(sha) for path, sha in frozen.seam["manifest"].items()}
    owned = frozen.seam["owned"]
    still_open = [task.task.subgoal(name) for name in frozen.seam["seam"]["open"]]
    delivered = set(frozen.seam["delivered"])
    turns: list[Turn] = []
    resumed = False
    limit = plan.max_turns if plan.to_completion else max(plan.rubric.follow_turns, plan.gap)
    while len(turns) < limit:
        turn = await agent.take_turn()
        turns.append(turn)
        for path, sha in turn.files.items():
            texts.pop(path, None)
            if sha is not None:
                texts[path] = agent.blobs.text(sha)
        if turn.files or len(turns) == 1:  # files are all that it depends on
            resumed = resumed or any(holds(s.done_when, Change({}, texts)) for s in still_open)
        if turn.finished:
            return
        if over(work_of(turns, owned), plan.rubric):
            if resumed and not plan.to_completion and len(turns) >= plan.gap:
                return
            agent.user.scored = False
            _late_remarks(agent, task, texts, delivered)


def _late_remarks(
    agent: Agent, task: LoadedTask, texts: Mapping[str, str], delivered: set[str]
) -> None:
    """Remarks that fell due after the seam are given once every scored window is over."""
    for remark in task.task.remarks:
        if remark.id in delivered:
            continue
        if remark.after:
            due = holds(task.task.subgoal(remark.after).done_when, Change({}, texts))
        else:
            due = agent.turn >= (remark.turn or 0)
        if due:
            message = {"role": "user", "content": remark.text}
            agent.transcript.add(message, agent.turn + 1, f"remark:{remark.id}")
            delivered.add(remark.id)


async def _complete(agent: Agent, task: LoadedTask) -> None:
    if task.task.completion is not None:
        found = await check_completion(agent.workspace, agent.sandbox, task)
        agent.transcript.write({"type": "completion", "turn": agent.turn, **found})
