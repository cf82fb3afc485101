"""Requests of the Responses API said as chat completions. Pure."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from harness.gateway.items import INPUT, Item, Tool, as_parts, grouped
from harness.gateway.wire import invalid, parse_object, require
from harness.types import Message

log = logging.getLogger(__name__)

SAME = ("temperature", "top_p", "parallel_tool_calls", "user", "top_logprobs", "stream")
"""Fields that both APIs have under one name."""

STATEFUL = ("previous_response_id", "conversation", "prompt", "background")


def parse_responses(raw: bytes) -> dict[str, Any]:
    """The body of a request to /v1/responses. Raises GatewayError 400 for what it must not be."""
    body = parse_object(raw)
    require(
        body,
        {
            "input": str | list,
            "instructions": str | None,
            "tools": list | None,
            "stream": bool | None,
            "text": dict | None,
            "reasoning": dict | None,
        },
    )
    if isinstance(body["input"], list) and not all(isinstance(i, dict) for i in body["input"]):
        raise invalid("input", "must be a text or a list of items")
    if not all(isinstance(tool, dict) for tool in body.get("tools") or []):
        raise invalid("tools", "must be a list of objects")
    return body


def require_stateless(body: Mapping[str, Any]) -> None:
    """Refuse what would need responses to be stored here (GatewayError 400)."""
    for name in STATEFUL:
        if body.get(name):
            text = "is not possible: this gateway stores no responses; send the whole input"
            raise invalid(name, text)


def chat_request(body: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Tool]]:
    """A request as a chat completion, and its tools by the names they have there.

    Raises GatewayError 400 for what a chat cannot say. Tools that run at the provider are left
    out. Instructions and developer messages at the start become one system message.
    """
    require_stateless(body)
    tools, named = chat_tools(body.get("tools") or [])
    messages = [group.message for group in grouped(body["input"], named)]
    if body.get("instructions"):
        messages.insert(0, {"role": "system", "content": body["instructions"]})
    if not messages:
        raise invalid("input", "must not be empty")
    chat: dict[str, Any] = {"model": body["model"], "messages": _one_system(messages)}
    chat |= {name: body[name] for name in SAME if body.get(name) is not None}
    if tools:
        chat["tools"] = tools
        if choice := _tool_choice(body.get("tool_choice")):
            chat["tool_choice"] = choice
    else:
        chat.pop("parallel_tool_calls", None)
    if body.get("max_output_tokens"):
        chat["max_tokens"] = body["max_output_tokens"]
    if effort := (body.get("reasoning") or {}).get("effort"):
        chat["reasoning_effort"] = effort
    if shape := _response_format((body.get("text") or {}).get("format")):
        chat["response_format"] = shape
    if chat.get("stream"):
        chat["stream_options"] = {"include_usage": True}
    return chat, named


def chat_tools(tools: Sequence[Item]) -> tuple[list[Item], dict[str, Tool]]:
    """Tools as chat functions, and what each name was. Free text becomes the argument `input`."""
    out: list[Item] = []
    named: dict[str, Tool] = {}
    for tool, namespace in _flat(tools):
        kind, name = tool.get("type"), tool.get("name")
        if kind not in ("function", "custom") or not isinstance(name, str):
            log.debug("tool %r is left out: a chat cannot offer it", kind)
            continue
        function: Item = {"name": f"{namespace}__{name}" if namespace else name}
        if tool.get("description"):
            function["description"] = tool["description"]
        if kind == "custom":
            function["parameters"] = _free_text(tool.get("format"))
        else:
            function["parameters"] = tool.get("parameters") or {"type": "object", "properties": {}}
            if tool.get("strict") is not None:
                function["strict"] = tool["strict"]
        named[function["name"]] = Tool(kind, name, namespace)
        out.append({"type": "function", "function": function})
    return out, named


def _flat(tools: Sequence[Item]) -> list[tuple[Item, str | None]]:
    flat: list[tuple[Item, str | None]] = []
    for tool in tools:
        within = tool.get("tools")
        if tool.get("type") == "namespace" and isinstance(within, list):
            flat += [(t, str(tool.get("name"))) for t in within if isinstance(t, dict)]
        else:
            flat.append((tool, None))
    return flat


def _free_text(shape: Any) -> Item:
    """Parameters of a custom tool: one text, with its grammar told."""
    text: Item = {"type": "string"}
    if isinstance(shape, dict) and shape.get("definition"):
        text["description"] = f"Text by this {shape.get('syntax')} grammar:\n{shape['definition']}"
    return {
        "type": "object",
        "properties": {INPUT: text},
        "required": [INPUT],
        "additionalProperties": False,
    }


def _tool_choice(choice: Any) -> Any:
    if not isinstance(choice, dict):
        return choice
    if choice.get("type") in ("function", "custom"):
        return {"type": "function", "function": {"name": choice.get("name")}}
    if choice.get("type") == "allowed_tools":
        return choice.get("mode", "auto")
    raise invalid("tool_choice", f"cannot ask for {choice.get('type')!r} in a chat")


def _response_format(shape: Any) -> Item | None:
    if not isinstance(shape, dict) or shape.get("type") in (None, "text"):
        return None
    if shape["type"] != "json_schema":
        return shape
    inner = {k: v for k, v in shape.items() if k != "type"}
    return {"type": "json_schema", "json_schema": inner}


def _one_system(messages: list[Message]) -> list[Message]:
    """Developer messages as system ones, which all servers know; those at the start as one.

    Many chat templates take a system message only in the first place.
    """
    known = [{**m, "role": "system"} if m["role"] == "developer" else m for m in messages]
    first = next((i for i, m in enumerate(known) if m["role"] != "system"), len(known))
    if first < 2:
        return known
    if all(isinstance(m["content"], str) for m in known[:first]):
        content: Any = "\n\n".join(m["content"] for m in known[:first])
    else:
        content = [part for m in known[:first] for part in as_parts(m["content"])]
    return [{"role": "system", "content": content}, *known[first:]]
