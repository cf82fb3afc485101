"""One trial on objects already built: restore, compact, recover, take turns, score, record."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from harness import __version__, tokens
from harness.agent import Agent
from harness.checks import Change, holds
from harness.completion import check_completion
from harness.errors import ContextOverflow, InvalidTrial, WorkspaceOverflow
from harness.guard import guarded
from harness.measures import Stored, over, score
from harness.model import cost
from harness.prefix import Frozen
from harness.rubric import Rubric
from harness.strategies.base import Context, Strategy
from harness.tasks import LoadedTask
from harness.text import content_text, digest, glob_match, split_carried
from harness.transcript import Event, Turn, from_ranges, work_of
from harness.types import SCHEMA_VERSION, Compaction, Message, Record, Usage

RECOVERY_TURNS = 6
ODD_STOPS = ("length", "content_filter", "refusal", "empty")


@dataclass(frozen=True)
class Plan:
    """What identifies a trial and what the record repeats of the configuration.

    columns: fields copied into the record as they are (arm, timing, draws, model ...). gap: least
    number of turns to go on, where another seam follows.
    """

    trial_id: str
    columns: Mapping[str, Any]
    strategy: Strategy
    rubric: Rubric
    to_completion: bool
    max_turns: int
    prices: Mapping[str, float] | None = None
    summary_prices: Mapping[str, float] | None = None
    gap: int = 0


@dataclass
class Outcome:
    """What happened after the seam, as far as it is not in the transcript."""

    compaction: Compaction
    before_tokens: int
    injected_tokens: int = 0
    notes: tuple[str, ...] = ()
    reason: str | None = None
    compaction_usage: Usage = field(default_factory=Usage)


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
    outcome.injected_tokens = _injected(agent, frozen)
    outcome.notes = (*outcome.compaction.notes, *ctx.notes, *_odd_stops(agent))
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


def _odd_stops(agent: Agent) -> list[str]:
    """Replies that ended otherwise than by a call or a word, as notes: "stop_length:2"."""
    ends = [e["finish_reason"] for e in agent.transcript.events if e["type"] == "turn"]
    return [f"stop_{why}:{ends.count(why)}" for why in ODD_STOPS if why in ends]


def _injected(agent: Agent, frozen: Frozen) -> int:
    """Tokens of the largest injection into one view after the seam, recovery messages included."""
    events = agent.transcript.events
    compacted = next(e for e in events if e["type"] == "compaction")
    added = [e for e in (*frozen.events, *events) if e["type"] in ("message", "again")]
    lasting = {e["n"] for e in added if e["source"] != "strategy"}
    lasting.update(from_ranges(compacted["view"]))
    sizes = {m: _carried_tokens(message) for m, message in agent.transcript.messages.items()}
    shown = [from_ranges(e["view"]) for e in events if e["type"] == "view"]
    largest = max((sum(sizes[n] for n in view if n not in lasting) for view in shown), default=0)
    return largest + sum(sizes[e["n"]] for e in events if e.get("source") == "recovery")


def _kept_tokens(agent: Agent, frozen: Frozen, stored: str) -> int:
    """Tokens that lie outside of the view at the seam: in a store, or in the strategy's files."""
    if stored:
        return tokens.count(stored)
    held = frozen.seam["manifest"].items()
    mine = [sha for path, sha in held if glob_match(path, frozen.seam["owned"])]
    return sum(tokens.count(agent.blobs.text(sha)) for sha in mine)


def _carried_tokens(message: Message) -> int:
    return sum(tokens.count(text) for kind, text in split_carried(content_text(message)) if kind)


def make_record(
    agent: Agent,
    frozen: Frozen,
    plan: Plan,
    task: LoadedTask,
    outcome: Outcome,
    scored: Mapping[str, Any],
    started: datetime,
) -> Record:
    """The row of a scored trial."""
    artefacts = outcome.compaction.artefacts
    carried = {name: tokens.count(artefacts.get(name, "")) for name in ("summary", "card")}
    used = {**carried, "injected": outcome.injected_tokens}
    compacted = tokens.count_view(outcome.compaction.view)
    usage = _usage_by_phase(agent, frozen, outcome, plan.rubric)
    record: dict[str, Any] = {
        **base_record(plan, task, frozen),
        "budget": {
            "planned": plan.columns["budget"],
            "used": {**used, "files": _kept_tokens(agent, frozen, artefacts.get("stored", ""))},
        },
        "model_fingerprint": agent.fingerprint,
        "model": agent.answered_by or None,
        "simulated": _simulated(agent, plan),
        "noop": outcome.compaction.noop,
        "status": "scored",
        "reason": outcome.reason,
        **scored,
        "tokens": {phase: asdict(used) for phase, used in usage.items()},
        "view_tokens": {"before": outcome.before_tokens, "after": compacted, **used},
        "cost_usd": {phase: _costs(used, _prices(plan, phase)) for phase, used in usage.items()},
        "seconds": {k: round(v, 3) for k, v in sorted(agent.clock.seconds.items())},
        "notes": list(outcome.notes),
        "malformed_calls": agent.malformed,
        "started_at": started.isoformat(timespec="milliseconds"),
    }
    return record  # type: ignore[return-value]


def _simulated(agent: Agent, plan: Plan) -> bool:
    """Whether the reference worker answered; where nobody did, whether it was to."""
    if not agent.answered_by:
        return bool(plan.columns["simulated"])
    return bool(agent.fingerprint and agent.fingerprint.startswith("simulated"))


def base_record(plan: Plan, task: LoadedTask, frozen: Frozen | None) -> dict[str, Any]:
    """The fields that every record has, whatever became of the trial."""
    return {
        "schema_version": SCHEMA_VERSION,
        "harness_version": __version__,
        "trial_id": plan.trial_id,
        **{key: value for key, value in plan.columns.items() if key != "budget"},
        "task": task.task.id,
        "family": task.task.family.value,
        "codebase": task.task.codebase,
        "split": task.task.split,
        "language": task.task.language,
        "task_hash": task.hash,
        "rubric_version": plan.rubric.version,
        "rubric_hash": plan.rubric.hash,
        "seam": frozen.seam["seam"] if frozen else None,
        "prefix_hash": frozen.hash if frozen else None,
        "attempts": [],
    }


def _usage_by_phase(
    agent: Agent, frozen: Frozen, outcome: Outcome, rubric: Rubric
) -> dict[str, Usage]:
    usage = {
        "prefix": Usage(**frozen.seam["usage"]),
        "compaction": outcome.compaction_usage,
        "recovery": Usage(),
        "window": Usage(),
        "after": Usage(),
    }
    worked = 0
    for event in agent.transcript.events:
        if event["type"] == "turn":
            worked += event["phase"] == "work"
            phase = "window" if worked <= rubric.window_turns else "after"
            phase = "recovery" if event["phase"] == "recovery" else phase
            usage[phase] = usage[phase] + Usage(**event["usage"])
    return usage


def _prices(plan: Plan, phase: str) -> Mapping[str, float] | None:
    return plan.summary_prices if phase == "compaction" else plan.prices


def _costs(usage: Usage, prices: Mapping[str, float] | None) -> dict[str, float | None]:
    return {
        "list": cost(usage, prices, cached=False),
        "cached": cost(usage, prices, cached=True),
    }
