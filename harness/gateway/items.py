"""Items of the Responses API as chat messages, and back. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.gateway.wire import GatewayError, invalid
from harness.types import Message

Item = dict[str, Any]

INPUT = "input"
"""The one argument of the function that a custom (free text) tool becomes."""

SILENT = ("reasoning", "web_search_call", "ghost_snapshot")
"""Items that a chat has no place for and that no later item needs."""


@dataclass(frozen=True)
class Tool:
    """What a chat function was before: its kind, and its name within a namespace."""

    kind: str
    name: str
    namespace: str | None = None


@dataclass
class Group:
    """A chat message and the items that said it; `results` answer its calls, in order."""

    message: Message
    items: list[Item]
    results: list[Group] = field(default_factory=list)


def grouped(given: str | Sequence[Item], named: Mapping[str, Tool]) -> list[Group]:
    """Items as chat messages, each with the items that say it.

    What the model said and called without a result in between is one message; results stand
    behind their calls. Raises GatewayError 400 for items that cannot be said in a chat.
    """
    if isinstance(given, str):
        given = [{"type": "message", "role": "user", "content": given}]
    read = _Reading(named)
    for number, item in enumerate(given):
        read.item(item, f"input[{number}]")
    read.end()
    return [each for group in read.groups for each in (group, *group.results)]


class _Reading:
    """The groups so far; `spoken` is the assistant's message that may still grow."""

    def __init__(self, named: Mapping[str, Tool]) -> None:
        self.names = {(tool.namespace, tool.name): name for name, tool in named.items()}
        self.groups: list[Group] = []
        self.spoken: Group | None = None
        self.calls: dict[str, Group] = {}
        self.silent: list[Item] = []

    def item(self, item: Item, where: str) -> None:
        kind = item.get("type") or ("message" if "role" in item else None)
        if kind == "message" and item.get("role") != "assistant":
            if item.get("role") not in ("user", "system", "developer"):
                raise invalid(where, f"has an unknown role {item.get('role')!r}")
            content = chat_content(item.get("content"), where)
            self._add(Group({"role": item["role"], "content": content}, [item]))
        elif kind == "message":
            self._speak(item, content=chat_content(item.get("content"), where))
        elif kind in ("function_call", "custom_tool_call"):
            self._call(item, kind, where)
        elif kind in ("function_call_output", "custom_tool_call_output"):
            self._result(item, where)
        elif kind in SILENT:
            (self.spoken.items if self.spoken else self.silent).append(item)
        else:
            text = f"of type {kind!r} cannot be said in a chat completion"
            raise GatewayError(400, "unsupported_item", f"{where} {text}", param=where)

    def end(self) -> None:
        """Silent items with nothing behind them go to the last group."""
        if self.silent and self.groups:
            self.groups[-1].items += self.silent

    def _add(self, group: Group) -> Group:
        group.items[:0] = self.silent
        self.silent = []
        self.groups.append(group)
        self.spoken = group if group.message["role"] == "assistant" else None
        return group

    def _speak(self, item: Item, content: Any = None, call: Item | None = None) -> Group:
        group = self.spoken
        if group is None:
            group = self._add(Group({"role": "assistant", "content": None}, []))
        group.items.append(item)
        if content:
            before = group.message["content"]
            group.message["content"] = _joined(before, content) if before else content
        elif content is not None and group.message["content"] is None:
            group.message["content"] = content
        if call:
            group.message.setdefault("tool_calls", []).append(call)
        return group

    def _call(self, item: Item, kind: str, where: str) -> None:
        name, call_id = item.get("name"), item.get("call_id")
        text = item.get("arguments" if kind == "function_call" else "input")
        if not (isinstance(name, str) and isinstance(call_id, str) and isinstance(text, str)):
            raise invalid(where, "must have name, call_id and what it is called with, as texts")
        if kind == "custom_tool_call":
            text = json.dumps({INPUT: text}, ensure_ascii=False)
        name = self.names.get((item.get("namespace"), name), name)
        function = {"name": name, "arguments": text}
        call = {"id": call_id, "type": "function", "function": function}
        self.calls[call_id] = self._speak(item, call=call)

    def _result(self, item: Item, where: str) -> None:
        call_id = item.get("call_id")
        caller = self.calls.get(call_id) if isinstance(call_id, str) else None
        if caller is None:
            raise invalid(where, f"is a result of call {call_id!r}, which stands nowhere before it")
        content = chat_content(item.get("output"), where)
        message = {"role": "tool", "tool_call_id": call_id, "content": content}
        caller.results.append(Group(message, [*self.silent, item]))
        self.silent, self.spoken = [], None


def _joined(first: Any, second: Any) -> Any:
    if isinstance(first, str) and isinstance(second, str):
        return f"{first}\n\n{second}"
    return [*as_parts(first), *as_parts(second)]


_PARTS = {"input_text": "text", "output_text": "text", "text": "text", "summary_text": "text"}


def chat_content(content: Any, where: str) -> Any:
    """Content of an item as that of a chat message: a text, or a list of parts."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list) or not all(isinstance(part, dict) for part in content):
        raise invalid(where, "must have a text or a list of parts as content")
    parts = [_chat_part(part, where) for part in content]
    if not parts:
        return ""
    return parts[0]["text"] if len(parts) == 1 and parts[0]["type"] == "text" else parts


def _chat_part(part: Item, where: str) -> Item:
    kind = part.get("type")
    if kind in _PARTS and isinstance(part.get("text"), str):
        return {"type": "text", "text": part["text"]}
    if kind == "refusal" and isinstance(part.get("refusal"), str):
        return {"type": "text", "text": part["refusal"]}
    if kind == "input_image" and isinstance(part.get("image_url"), str):
        image = {"url": part["image_url"]}
        if part.get("detail"):
            image["detail"] = part["detail"]
        return {"type": "image_url", "image_url": image}
    if kind == "input_file":
        return {"type": "file", "file": {k: v for k, v in part.items() if k != "type"}}
    text = f"has a content part of type {kind!r}, which cannot be said in a chat completion"
    raise GatewayError(400, "unsupported_part", f"{where} {text}", param=where)


def items_of(
    messages: Sequence[Message], named: Mapping[str, Tool], known: Sequence[Group] = ()
) -> list[Item]:
    """Chat messages as items; the other direction of `grouped`.

    known: groups whose messages are said by their own items, with all that a chat leaves out.
    """
    items: list[Item] = []
    custom: set[str] = set()
    told: dict[tuple[Any, ...], list[Group]] = {}
    for group in known:
        told.setdefault(_key(group.message), []).append(group)
        custom.update(i["call_id"] for i in group.items if i.get("type") == "custom_tool_call")
    for message in messages:
        alike = told.get(_key(message), []) if told else []
        if group := next((group for group in alike if group.message == message), None):
            alike.remove(group)
            items += group.items
            continue
        role, content = message["role"], message.get("content")
        if role == "tool":
            call_id = message["tool_call_id"]
            kind = "custom_tool_call_output" if call_id in custom else "function_call_output"
            output = content if isinstance(content, str) else _item_parts(content, "user")
            items.append({"type": kind, "call_id": call_id, "output": output})
            continue
        if content or not message.get("tool_calls"):
            parts = _item_parts(content, role)
            items.append({"type": "message", "role": role, "content": parts})
        for call in message.get("tool_calls") or []:
            item = call_item(call["id"], **call["function"], named=named)
            if item["type"] == "custom_tool_call":
                custom.add(call["id"])
            items.append(item)
    return items


def _key(message: Message) -> tuple[Any, ...]:
    """Tells most messages apart, and costs little."""
    content, calls = message.get("content"), message.get("tool_calls")
    text = content if isinstance(content, str) else None
    return message["role"], text, message.get("tool_call_id"), calls and calls[0]["id"]


def call_item(call_id: str, name: str, arguments: str, named: Mapping[str, Tool]) -> Item:
    """A chat's tool call as an item of the tool it stands for."""
    tool = named.get(name) or Tool("function", name)
    head = {"call_id": call_id, "name": tool.name}
    if tool.namespace:
        head["namespace"] = tool.namespace
    if tool.kind == "custom":
        return {"type": "custom_tool_call", **head, "input": free_text(arguments)}
    return {"type": "function_call", **head, "arguments": arguments}


def free_text(arguments: str) -> str:
    """What a custom tool is called with; a model that sends it bare is understood, too."""
    try:
        data = json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments
    text = data.get(INPUT) if isinstance(data, dict) else data
    return text if isinstance(text, str) else arguments


def _item_parts(content: Any, role: str) -> list[Item]:
    text = "output_text" if role == "assistant" else "input_text"
    parts = []
    for part in as_parts(content if content is not None else ""):
        if part["type"] == "text":
            parts.append({"type": text, "text": part["text"]})
        elif part["type"] == "image_url":
            image = part["image_url"]
            detail = {"detail": image["detail"]} if image.get("detail") else {}
            parts.append({"type": "input_image", "image_url": image["url"], **detail})
        elif part["type"] == "file":
            parts.append({"type": "input_file", **part["file"]})
        else:
            parts.append(part)
    return parts


def as_parts(content: Any) -> list[Item]:
    """Content of a chat message as a list of parts."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content or [])
