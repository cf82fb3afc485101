"""Transcripts as ATIF (Agent Trajectory Interchange Format) 1.7 documents.

ATIF has no place for the view after a compaction; it goes into the step's `extra`, which other
readers may pass over. A response is one step with its calls and their results.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from harness import __version__
from harness.readers.base import Item, Mark, Said, Session
from harness.types import Usage

SCHEMA = "ATIF-v1.7"


def to_atif(items: Sequence[Item]) -> dict[str, Any]:
    """One document of one session. Raises ValueError for items without or with two sessions."""
    sessions = [item for item in items if isinstance(item, Session)]
    if len(sessions) != 1:
        raise ValueError(f"one session is needed, {len(sessions)} are given")
    steps: list[dict[str, Any]] = []
    for item in items:
        if isinstance(item, Mark):
            _add(steps, _seam(item))
        elif isinstance(item, Said) and item.role == "tool":
            _result(steps, item)
        elif isinstance(item, Said):
            _add(steps, _step(item))
    return {
        "schema_version": SCHEMA,
        "session_id": sessions[0].id,
        "agent": _agent(sessions[0]),
        "steps": steps,
        "final_metrics": _totals(items),
    }


def _agent(session: Session) -> dict[str, Any]:
    agent = {"name": session.agent or "unknown", "version": session.version or "unknown"}
    if session.model:
        agent["model_name"] = session.model
    return {**agent, "extra": {"exported_by": f"seambench {__version__}"}}


def _add(steps: list[dict[str, Any]], step: dict[str, Any]) -> None:
    steps.append({"step_id": len(steps) + 1, **step})


def _step(said: Said) -> dict[str, Any]:
    source = {"assistant": "agent", "user": "user"}.get(said.role, "system")
    step: dict[str, Any] = {"source": source, "message": said.message.get("content") or ""}
    if said.time:
        step["timestamp"] = said.time
    if source == "agent" and said.message.get("tool_calls"):
        step["tool_calls"] = [_call(call) for call in said.message["tool_calls"]]
    if said.usage:
        step["metrics"] = {
            "prompt_tokens": said.usage.input,
            "cached_tokens": said.usage.cached,
            "completion_tokens": said.usage.output,
        }
    if source == "user" and not said.human:
        step["extra"] = {"seambench": {"human": False}}
    return step


def _call(call: dict[str, Any]) -> dict[str, Any]:
    arguments = json.loads(call["function"]["arguments"])
    return {
        "tool_call_id": call["id"],
        "function_name": call["function"]["name"],
        "arguments": arguments,
    }


def _result(steps: list[dict[str, Any]], said: Said) -> None:
    """A result belongs to the step of the call; without one it is an observation by itself."""
    name = said.message["tool_call_id"]
    result: dict[str, Any] = {"source_call_id": name, "content": said.message["content"]}
    if said.failed is not None:
        result["extra"] = {"failed": said.failed}
    for step in reversed(steps):
        if any(call["tool_call_id"] == name for call in step.get("tool_calls", ())):
            step.setdefault("observation", {"results": []})["results"].append(result)
            return
    result.pop("source_call_id")
    _add(steps, {"source": "system", "message": "", "observation": {"results": [result]}})


def _seam(mark: Mark) -> dict[str, Any]:
    view = None if mark.after is None else [{**s.message, "human": s.human} for s in mark.after]
    told = {"type": "compaction", "boundary": "replace", "trigger": mark.trigger}
    if mark.tokens_before is not None:
        told["tokens_before"] = mark.tokens_before
    step: dict[str, Any] = {"source": "system", "message": "The context was compacted."}
    if mark.time:
        step["timestamp"] = mark.time
    ours = {"view": view, "summary": mark.summary, "unread": mark.unread}
    return {**step, "extra": {"context_management": told, "seambench": ours}}


def _totals(items: Sequence[Item]) -> dict[str, Any]:
    spent = [item.usage for item in items if isinstance(item, Said) and item.usage]
    total = sum(spent, Usage())
    return {
        "total_prompt_tokens": total.input,
        "total_cached_tokens": total.cached,
        "total_completion_tokens": total.output,
    }
