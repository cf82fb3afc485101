"""The responses API: chat messages put as its items, and its output as a chat message.

Nothing is stored at the server (`store: false`); a model's reasoning is handed back instead, as it
came and where it came, encrypted where the server encrypts it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from harness.chat import assistant, tool_call
from harness.endpoint import BadReply, ErrorInBody, Options, text_or_none, usage_of
from harness.text import content_text
from harness.types import Message, Reply

PATH = "/responses"
CONTENT_FILTERED = {
    "output": [],
    "status": "incomplete",
    "incomplete_details": {"reason": "content_filter"},
}
"""Stands for a refusal of the whole request by a content filter, which has no body of its own."""

_STOPS = {"max_output_tokens": "length", "content_filter": "content_filter"}

Item = dict[str, Any]


def request(
    messages: Sequence[Message], tools: list[dict[str, Any]] | None, options: Options
) -> dict[str, Any]:
    """The body of a request. Reasoning goes back only to the model that it came from."""
    body: dict[str, Any] = {
        "model": options.model,
        "input": [item for message in messages for item in _items(message, options.made_by)],
        "store": False,
        "include": ["reasoning.encrypted_content"],
    }
    if tools:
        # Not strict: the API would otherwise change the schema and refuse what it cannot.
        body["tools"] = [{"type": "function", "strict": False, **t["function"]} for t in tools]
        if name := options.tool_choice:
            plain = name in ("auto", "required", "none")
            body["tool_choice"] = name if plain else {"type": "function", "name": name}
    if options.temperature is not None:
        body["temperature"] = options.temperature
    if options.effort:
        body["reasoning"] = {"effort": options.effort}
    if options.limit:
        body["max_output_tokens"] = options.limit
    return body


def parse_reply(data: Any, at: int, made_by: str = "") -> Reply:
    """A reply from a decoded body; `at` numbers the calls that came without an id.

    made_by: whose reasoning it is. Raises BadReply, or ErrorInBody where the body is an error.
    """
    if not isinstance(data, dict):
        raise BadReply(f"expected a JSON object, got {str(data)[:80]!r}")
    if data.get("error"):
        raise ErrorInBody(data["error"])
    given = data.get("output")
    if not isinstance(given, list):
        raise BadReply("it has no output")
    output = [item for item in given if isinstance(item, dict)]
    message, refused = _message(output, at)
    if made_by and any(_keeps(item) for item in output):
        message["reasoning"] = {"by": made_by, "items": [_kept(item) for item in output]}
    return Reply(
        message=message,
        usage=usage_of(data.get("usage"), "input_tokens", "output_tokens"),
        model=str(data.get("model") or ""),
        fingerprint=text_or_none(data.get("system_fingerprint")),
        finish_reason=_finish(data, message, refused),
    )


def _items(message: Message, made_by: str) -> Iterator[Item]:
    """What a chat message is here: one item, or several for an assistant's."""
    if message["role"] == "tool":
        call_id = message["tool_call_id"]
        yield {
            "type": "function_call_output",
            "call_id": call_id,
            "output": content_text(message),
        }
    elif message["role"] != "assistant":
        yield {"role": message["role"], "content": content_text(message)}
    else:
        kept = message.get("reasoning") or {}
        mine = kept.get("items", []) if kept.get("by") == made_by else []
        yield from _in_order(message, mine)


def _in_order(message: Message, kept: Sequence[Item]) -> Iterator[Item]:
    """An assistant's items as they came: reasoning before what it led to, and never without it."""
    said: list[Item] = []
    if text := content_text(message):
        said = [{"role": "assistant", "content": text}]
    calls = {call["id"]: _call(call) for call in message.get("tool_calls") or []}
    thoughts: list[Item] = []
    for item in kept:
        if _keeps(item):
            thoughts.append(item)
            continue
        is_call = item["type"] == "function_call"
        found = [calls.pop(item["call_id"])] if is_call and item["call_id"] in calls else []
        if item["type"] == "message":
            found, said = said, []
        if found:
            yield from thoughts
            yield from found
        thoughts = []
    yield from said
    yield from calls.values()


def _call(call: dict[str, Any]) -> Item:
    return {"type": "function_call", "call_id": call["id"], **call["function"]}


def _keeps(item: Item) -> bool:
    """Whether an item is reasoning that the server can read again; a bare id it has forgotten."""
    readable = item.get("encrypted_content") or item.get("content")
    return item.get("type") == "reasoning" and bool(readable)


def _kept(item: Item) -> Item:
    """Reasoning as it is, anything else as its place in the order."""
    if _keeps(item):
        return {key: value for key, value in item.items() if key != "status"}
    return {"type": str(item.get("type")), "call_id": str(item.get("call_id"))}


def _message(output: Sequence[Item], at: int) -> tuple[Message, bool]:
    """The output as one assistant message, and whether it is a refusal."""
    texts, calls, refused = [], [], False
    for number, item in enumerate(output):
        if item.get("type") == "function_call":
            call_id = item.get("call_id") or f"call_{at}_{number}"
            calls.append(tool_call(call_id, item.get("name"), item.get("arguments")))
        elif item.get("type") == "message":
            parts = item.get("content")
            for part in parts if isinstance(parts, list) else [{"text": parts}]:
                if isinstance(part, dict):
                    refused = refused or bool(part.get("refusal"))
                    texts.append(str(part.get("text") or part.get("refusal") or ""))
    return assistant("".join(texts), calls), refused


def _finish(data: dict[str, Any], message: Message, refused: bool) -> str:
    if data.get("status") == "incomplete":
        details = data.get("incomplete_details")
        reason = str((details if isinstance(details, dict) else {}).get("reason"))
        return _STOPS.get(reason, reason)
    if message.get("tool_calls"):
        return "tool_calls"
    if refused:
        return "refusal"
    return "stop" if message["content"].strip() else "empty"
