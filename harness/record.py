"""The row that a scored trial becomes: what was planned, what was found, what it took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from harness import __version__, tokens
from harness.agent import Agent
from harness.model import cost
from harness.prefix import Frozen
from harness.rubric import Rubric
from harness.strategies.base import Strategy
from harness.tasks import LoadedTask
from harness.text import content_text, glob_match, split_carried
from harness.transcript import Event, from_ranges
from harness.types import SCHEMA_VERSION, Compaction, Message, Record, Usage

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
    notes: tuple[str, ...] = ()
    reason: str | None = None
    compaction_usage: Usage = field(default_factory=Usage)


def _ends(frozen: Frozen, events: Sequence[Event]) -> list[str]:
    """Replies and commands that ended otherwise than by themselves, as notes: "stop_length:2"."""
    ends = [event["finish_reason"] for event in events if event["type"] == "turn"]
    counts = {f"stop_{why}": ends.count(why) for why in ODD_STOPS}
    late = {"prefix_command_timed_out": frozen.events, "command_timed_out": events}
    counts |= {name: sum(e.get("timed_out", 0) for e in those) for name, those in late.items()}
    return [f"{name}:{count}" for name, count in counts.items() if count]


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
    used = {**carried, "injected": _injected(agent, frozen)}
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
        "notes": [*outcome.notes, *_ends(frozen, agent.transcript.events)],
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
