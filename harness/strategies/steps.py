"""Steps that the study's strategies share: state of a history, its last turn, its last plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from harness.errors import UserError
from harness.extract import extract
from harness.extract.model_based import extract_by_model
from harness.extract.paths import normal, paths_in
from harness.strategies.base import Context
from harness.text import content_text, nearest
from harness.tools import parse_calls
from harness.types import Message, State

EXTRACTIONS = ("rules", "model")

# Markers and message frame around an injected text take 13 tokens or less; rounded up.
FRAME_TOKENS = 16


async def state_of(
    history: Sequence[Message], ctx: Context, extraction: str
) -> tuple[State, list[str]]:
    """State of a history and notes. extraction: "rules", or "model" with rules to fall back to.

    The model is the extractor, or the summariser where there is none of its own; what it used
    goes to `ctx.extraction`, or `ctx.usage`.
    """
    if extraction == "rules":
        return extract(list(history)), []
    state, why, usage = await extract_by_model(history, ctx.extractor or ctx.complete)
    if ctx.extractor:
        ctx.extraction = ctx.extraction + usage
    else:
        ctx.usage = ctx.usage + usage
    if state is None:
        return extract(list(history)), [f"extraction_fell_back:{why}"]
    return state, []


def with_plan(state: State, history: Sequence[Message]) -> tuple[State, list[str]]:
    """The state with the progress pointer of the agent's last plan, word for word.

    Without a plan call in the history the state's own pointer stays, and a note says so.
    """
    items = last_plan(history)
    if items is None:
        return state, ["no_plan_call"]
    done = tuple(item["text"] for item in items if item["status"] == "done")
    return replace(
        state, done=done, open=tuple(i["text"] for i in items if i["status"] != "done")
    ), []


def last_plan(history: Sequence[Message]) -> list[dict[str, Any]] | None:
    """Items of the last well-formed `update_plan` call, None where there is none."""
    for message in reversed(history):
        for call in reversed(parse_calls(message)):
            if call.name == "update_plan" and call.error is None:
                return call.args["items"]
    return None


@dataclass(frozen=True)
class LastTurn:
    """What the agent was at: its text, with calls and plan, and the paths it named or touched."""

    text: str = ""
    paths: frozenset[str] = frozenset()


def last_turn(history: Sequence[Message]) -> LastTurn:
    """The last turn of a history; empty where the agent has not spoken in it."""
    said = next((m for m in reversed(history) if m["role"] == "assistant"), None)
    if said is None:
        return LastTurn()
    told = [content_text(said)]
    for call in parse_calls(said):
        told += [str(call.args[key]) for key in ("path", "command", "question") if key in call.args]
    paths = frozenset(normal(path) for text in told for path in paths_in(text))
    plan = [item["text"] for item in last_plan(history) or []]
    return LastTurn("\n".join([*told, *plan]), paths)


def require_choice(option: str, value: str, known: Sequence[str], where: str = "strategy") -> str:
    """The value of an option. Raises UserError, naming the nearest, where it is not known."""
    if value not in known:
        raise UserError(f"{where}.{option}: no {value!r}; nearest: {nearest(str(value), known)}")
    return value
