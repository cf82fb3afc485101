"""Transcripts as an Inspect log, written with inspect's own classes (optional extra `inspect`)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from harness import __version__
from harness.errors import UserError
from harness.readers.base import Item, Mark, Said, Session
from harness.readers.inspect_log import OURS
from harness.text import digest


def write_inspect_log(sessions: Mapping[str, Sequence[Item]], to: Path) -> None:
    """One `.eval` file, a sample for each session by its id. Raises UserError without inspect."""
    try:
        from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSpec, write_eval_log
    except ImportError:
        raise UserError("export inspect: pip install 'seambench[inspect]' first") from None
    samples = [_sample(name, items) for name, items in sessions.items()]
    spec = EvalSpec(
        created=datetime.now(UTC).isoformat(),
        task="seambench",
        dataset=EvalDataset(name="seambench", samples=len(samples), sample_ids=list(sessions)),
        model=_model(sessions),
        config=EvalConfig(),
        packages={"seambench": __version__},
    )
    write_eval_log(EvalLog(eval=spec, status="success", samples=samples), str(to))


def _model(sessions: Mapping[str, Sequence[Item]]) -> str:
    told = (i.model for items in sessions.values() for i in items if isinstance(i, Session))
    return next((model for model in told if model), "unknown/unknown")


def _sample(name: str, items: Sequence[Item]) -> Any:
    from inspect_ai.log import EvalSample

    writer = _Writer()
    for item in items:
        if isinstance(item, Mark):
            writer.seam(item)
        elif isinstance(item, Said):
            writer.say(item)
    first = next((m.text for m in writer.messages if m.role == "user"), "")
    return EvalSample(
        id=name,
        epoch=1,
        input=first,
        target="",
        messages=writer.messages,
        events=writer.events,
    )


class _Writer:
    """Makes a model event of each response; its input is the view of that moment."""

    def __init__(self) -> None:
        self.messages: list[Any] = []
        self.events: list[Any] = []
        self.view: list[Any] = []

    def say(self, said: Said) -> None:
        message = _message(said)
        if said.role == "assistant":
            self.events.append(_model_event(said, message, list(self.view)))
        self.messages.append(message)
        self.view.append(message)

    def seam(self, mark: Mark) -> None:
        from inspect_ai.event import CompactionEvent

        self.view = [_message(said) for said in mark.after or ()]
        self.events.append(
            CompactionEvent(
                type="summary",
                tokens_before=mark.tokens_before,
                tokens_after=mark.tokens_after,
                source=OURS,
                metadata={"trigger": mark.trigger, "unread": mark.unread},
            )
        )


def _message(said: Said) -> Any:
    from inspect_ai.model import (
        ChatMessageAssistant,
        ChatMessageSystem,
        ChatMessageTool,
        ChatMessageUser,
    )
    from inspect_ai.tool import ToolCallError

    text = str(said.message.get("content") or "")
    id = digest([said.role, said.line, said.file, text])[:22]
    if said.role == "assistant":
        calls = [_call(call) for call in said.message.get("tool_calls") or ()]
        return ChatMessageAssistant(id=id, content=text, tool_calls=calls or None)
    if said.role == "tool":
        error = ToolCallError("unknown", "the tool reported a failure") if said.failed else None
        name = said.message["tool_call_id"]
        return ChatMessageTool(id=id, content=text, tool_call_id=name, error=error)
    kind = ChatMessageUser if said.role == "user" else ChatMessageSystem
    return kind(id=id, content=text)


def _call(call: dict[str, Any]) -> Any:
    from inspect_ai.tool import ToolCall

    function = call["function"]
    arguments = json.loads(function["arguments"])
    return ToolCall(id=call["id"], function=function["name"], arguments=arguments)


def _model_event(said: Said, message: Any, view: list[Any]) -> Any:
    from inspect_ai.event import ModelEvent
    from inspect_ai.model import ChatCompletionChoice, GenerateConfig, ModelOutput, ModelUsage

    spent = said.usage
    used = None
    if spent and spent.input is not None and spent.output is not None:
        used = ModelUsage(
            input_tokens=spent.input - (spent.cached or 0),
            output_tokens=spent.output,
            total_tokens=spent.input + spent.output,
            input_tokens_cache_read=spent.cached,
        )
    choice = ChatCompletionChoice(message=message, stop_reason="stop")
    output = ModelOutput(model="unknown", choices=[choice], usage=used)
    return ModelEvent(
        model="unknown",
        input=view,
        tools=[],
        tool_choice="auto",
        config=GenerateConfig(),
        output=output,
    )
