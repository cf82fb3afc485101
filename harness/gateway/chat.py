"""What a body of /v1/chat/completions must be."""

from __future__ import annotations

from typing import Any

from harness.gateway.wire import invalid, parse_object, require


def parse_chat(raw: bytes) -> dict[str, Any]:
    """The body of a chat request. Raises GatewayError 400 naming the field that is wrong.

    Fields that this program does not know pass through; a server behind it may know them.
    """
    body = parse_object(raw)
    require(
        body,
        {
            "messages": list,
            "tools": list | None,
            "stream": bool | None,
            "stream_options": dict | None,
        },
    )
    if not body["messages"]:
        raise invalid("messages", "must not be empty")
    for number, message in enumerate(body["messages"]):
        _check_message(message, f"messages[{number}]")
    for number, tool in enumerate(body.get("tools") or []):
        if not isinstance(tool, dict):
            raise invalid(f"tools[{number}]", "must be an object")
        if tool.get("type", "function") == "function" and not _is_function(tool.get("function")):
            raise invalid(f"tools[{number}].function", "must have a name")
    return body


def _check_message(message: Any, where: str) -> None:
    if not isinstance(message, dict) or not isinstance(message.get("role"), str):
        raise invalid(where, "must be a message with a role")
    content = message.get("content")
    if isinstance(content, list):
        if not all(isinstance(part, dict) for part in content):
            raise invalid(f"{where}.content", "must have objects as its parts")
        if not all(isinstance(part.get("text"), str | None) for part in content):
            raise invalid(f"{where}.content", "must have texts as text of its parts")
    elif not isinstance(content, str | None):
        raise invalid(f"{where}.content", "must be a text or a list of parts")
    if message["role"] == "tool" and not isinstance(message.get("tool_call_id"), str):
        raise invalid(f"{where}.tool_call_id", "must name the call it answers")
    if calls := message.get("tool_calls"):
        _check_calls(calls, where)


def _check_calls(calls: Any, where: str) -> None:
    if not isinstance(calls, list):
        raise invalid(f"{where}.tool_calls", "must be a list")
    for number, call in enumerate(calls):
        if not isinstance(call, dict) or not isinstance(call.get("id"), str):
            raise invalid(f"{where}.tool_calls[{number}]", "must be a call with an id")
        function = call.get("function")
        if call.get("type", "function") == "function" and not (
            _is_function(function) and isinstance(function.get("arguments"), str)
        ):
            raise invalid(f"{where}.tool_calls[{number}].function", "must have name and arguments")


def _is_function(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("name"), str)
