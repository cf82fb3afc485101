"""The chat completions API: how a request is put, and what of a reply goes into the history."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from harness.endpoint import BadReply, ErrorInBody, Options, text_or_none, usage_of, utf8
from harness.types import Message, Reply

PATH = "/chat/completions"
CONTENT_FILTERED = {"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]}
"""Stands for a refusal of the whole request by a content filter, which has no body of its own."""

MOST_CALLS = 128
"""In one reply. Agents make a handful."""

_REASONING = ("reasoning_details", "thinking_blocks", "reasoning_content", "reasoning")
"""How servers name a model's reasoning, the most complete first: OpenRouter, LiteLLM, vLLM ..."""


def request(
    messages: Sequence[Message], tools: list[dict[str, Any]] | None, options: Options
) -> dict[str, Any]:
    """The body of a request. Reasoning goes back only to the model that it came from."""
    body: dict[str, Any] = {
        "model": options.model,
        "messages": [_sent(message, options.made_by) for message in messages],
    }
    if tools:
        body["tools"] = tools
        if options.tool_choice:
            body["tool_choice"] = _choice(options.tool_choice)
    if options.temperature is not None:
        body["temperature"] = options.temperature
    if options.effort:
        body["reasoning_effort"] = options.effort
    if options.limit:
        body[options.limit_field] = options.limit
    return body


def parse_reply(data: Any, at: int, made_by: str = "") -> Reply:
    """A reply from a decoded body; `at` numbers the calls that came without an id.

    made_by: whose reasoning it is. Raises BadReply, or ErrorInBody where the body is an error.
    """
    if not isinstance(data, dict):
        raise BadReply(f"expected a JSON object, got {str(data)[:80]!r}")
    if data.get("error") and not data.get("choices"):
        raise ErrorInBody(data["error"])
    choices = data.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    choice = choice if isinstance(choice, dict) else {}
    # Routers: whoever wrote the answer failed on the way; what is there of it is no answer.
    if choice.get("error") or choice.get("finish_reason") == "error":
        raise ErrorInBody(choice.get("error") or "the answer ended with an error")
    given = choice.get("message")
    if not isinstance(given, dict):
        raise BadReply("it has no choices" if not choices else "its first choice has no message")
    message = _message(given, at)
    kept = next(((name, given[name]) for name in _REASONING if given.get(name)), None)
    if kept and made_by:
        message["reasoning"] = {"by": made_by, kept[0]: kept[1]}
    return Reply(
        message=message,
        usage=usage_of(data.get("usage"), "prompt_tokens", "completion_tokens"),
        model=str(data.get("model") or ""),
        fingerprint=text_or_none(data.get("system_fingerprint")),
        finish_reason=_finish(choice.get("finish_reason"), given, message),
    )


def _sent(message: Message, made_by: str) -> Message:
    wordless = message.get("tool_calls") and message.get("content") is None
    if "reasoning" not in message and not wordless:
        return message
    plain = {key: value for key, value in message.items() if key != "reasoning"}
    if wordless:
        plain["content"] = ""  # llama-cpp-python refuses null, and chat templates its absence
    kept = message.get("reasoning") or {}
    if kept.get("by") == made_by:
        plain |= {key: value for key, value in kept.items() if key != "by"}
    return plain


def _choice(name: str) -> str | dict[str, Any]:
    if name in ("auto", "required", "none"):
        return name
    return {"type": "function", "function": {"name": name}}


def _finish(reason: Any, given: dict[str, Any], message: Message) -> str | None:
    """The server's reason, or ours where it hides that the model refused or said nothing."""
    if reason in ("stop", "tool_calls", None) and not message.get("tool_calls"):
        if given.get("refusal") and not given.get("content"):
            return "refusal"
        if not message["content"].strip():
            return "empty"
    return text_or_none(reason)


def _message(message: dict[str, Any], at: int) -> Message:
    """What of an assistant message goes back into the history."""
    calls = []
    given = message.get("tool_calls")
    for number, call in enumerate(given if isinstance(given, list) else []):
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict) or call.get("type", "function") != "function":
            continue
        name = f"call_{at}_{number}"
        calls.append(
            tool_call(call.get("id") or name, function.get("name"), function.get("arguments"))
        )
    text = message.get("content") or message.get("refusal")
    if isinstance(text, list):  # content parts
        text = "".join(str(part.get("text") or "") for part in text if isinstance(part, dict))
    return assistant(text, calls)


def assistant(text: Any, calls: list[dict[str, Any]]) -> Message:
    """An assistant message; null content only beside calls, since many refuse it elsewhere.

    Calls beyond MOST_CALLS are left out: a model that repeats itself without end.
    """
    text = utf8(str(text)) if text else None
    if calls:
        return {"role": "assistant", "content": text, "tool_calls": calls[:MOST_CALLS]}
    return {"role": "assistant", "content": text or ""}


def tool_call(call_id: Any, name: Any, arguments: Any) -> dict[str, Any]:
    """A call in the chat format, its arguments as text whatever they came as."""
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments, ensure_ascii=False) if arguments else ""
    return {
        "id": str(call_id),
        "type": "function",
        "function": {"name": utf8(str(name or "")), "arguments": utf8(arguments)},
    }
