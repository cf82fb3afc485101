"""Chat completions as answers of the Responses API: the whole object, or its events. Pure."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from typing import Any

from harness.gateway.items import Item, Tool, call_item
from harness.gateway.output import Call, Event, Open, Reasoning, Refusal, Text
from harness.gateway.wire import GatewayError, chunks_of
from harness.text import content_text, digest

_ECHOED = {
    "instructions": None,
    "max_output_tokens": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "reasoning": None,
    "temperature": None,
    "text": {"format": {"type": "text"}},
    "tool_choice": "auto",
    "tools": [],
    "top_p": None,
    "truncation": "disabled",
    "user": None,
}
"""Fields of a response that repeat the request's, and what they are where it has none."""

_CUT = {"length": "max_output_tokens", "content_filter": "content_filter"}


def response_of(
    reply: Mapping[str, Any], body: Mapping[str, Any], named: Mapping[str, Tool]
) -> Item:
    """A chat completion as a response; `body` is the request that was made for one.

    Raises GatewayError 502 where the reply is no chat completion.
    """
    events = ResponseEvents(body, named)
    for chunk in chunks_of({**reply, "choices": [_first_choice(reply)]}, with_usage=True):
        for _ in events.feed(chunk):
            pass
    return list(events.end())[-1]["response"]


def _first_choice(reply: Mapping[str, Any]) -> Item:
    """The choice that counts, with all that the API promises, which not every server keeps."""
    choices = reply.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        text = "the model's server sent no chat completion"
        raise GatewayError(502, "upstream_bad_reply", text)
    calls = [c for c in message.get("tool_calls") or [] if isinstance(c.get("function"), dict)]
    tidy = {
        "role": "assistant",
        "content": content_text(message),
        "tool_calls": [_whole_call(call) for call in calls],
    }
    return {
        "index": 0,
        "message": {**message, **tidy},
        "finish_reason": choice.get("finish_reason"),
    }


def _whole_call(call: Item) -> Item:
    arguments = call["function"].get("arguments")
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments or {}, ensure_ascii=False)
    function = {"name": str(call["function"].get("name") or ""), "arguments": arguments}
    return {"id": call.get("id"), "type": "function", "function": function}


class ResponseEvents:
    """The events of one response out of the chunks of one chat completion.

    `feed` every chunk, then `end`; or `fail` where the rest will not come.
    """

    def __init__(self, body: Mapping[str, Any], named: Mapping[str, Tool]) -> None:
        self.named = named
        echoed = {k: usual if body.get(k) is None else body[k] for k, usual in _ECHOED.items()}
        self.response: Item = {
            "id": "",
            "object": "response",
            "created_at": 0,
            "status": "in_progress",
            "background": False,
            "error": None,
            "incomplete_details": None,
            "model": body["model"],
            "output": [],
            "previous_response_id": None,
            "store": False,
            "usage": None,
            **echoed,
        }
        self._number = 0
        self._items: list[Open] = []
        self._calls: dict[Any, Call] = {}
        self._reason: str | None = None

    def feed(self, chunk: Mapping[str, Any]) -> Iterator[Event]:
        """The events that a chunk brings. Choices after the first are left out."""
        if not self._number:
            yield from self._begin(chunk)
        if chunk.get("usage"):
            self.response["usage"] = response_usage(chunk["usage"])
        for choice in (chunk.get("choices") or [])[:1]:
            self._reason = choice.get("finish_reason") or self._reason
            yield from self._delta(choice.get("delta") or {})

    def end(self) -> Iterator[Event]:
        """The events after the last chunk; the very last one holds the whole response."""
        if not self._number:
            yield from self._begin({})
        yield from self._close()
        reason = _CUT.get(self._reason or "")
        self.response["status"] = "incomplete" if reason else "completed"
        self.response["incomplete_details"] = {"reason": reason} if reason else None
        yield self._whole(f"response.{self.response['status']}")

    def fail(self, error: GatewayError) -> Iterator[Event]:
        """The events of an end that came too early."""
        self.response["status"] = "failed"
        self.response["error"] = {"code": error.code, "message": str(error)}
        yield self._whole("response.failed")

    def _begin(self, chunk: Mapping[str, Any]) -> Iterator[Event]:
        given = chunk.get("id")
        name = digest(str(given))[:32] if given else secrets.token_hex(16)
        self.response["id"] = f"resp_{name}"
        self.response["created_at"] = chunk.get("created") or 0
        self.response["model"] = chunk.get("model") or self.response["model"]
        if chunk.get("system_fingerprint"):
            self.response["system_fingerprint"] = chunk["system_fingerprint"]
        yield self._whole("response.created")
        yield self._whole("response.in_progress")

    def _delta(self, delta: Mapping[str, Any]) -> Iterator[Event]:
        thought = delta.get("reasoning_content") or delta.get("reasoning")
        for kind, text in (
            (Reasoning, thought),
            (Refusal, delta.get("refusal")),
            (Text, delta.get("content")),
        ):
            if isinstance(text, str) and text:
                yield from self._text(kind, text)
        for call in delta.get("tool_calls") or []:
            yield from self._call(call)

    def _text(self, kind: type[Text], text: str) -> Iterator[Event]:
        last = self._items[-1] if self._items else None
        if type(last) is not kind or last.closed:
            yield from self._close()
            last = kind(self._id(kind.prefix), len(self._items))
            yield from self._open(last)
        yield from self._numbered(last.more(text))

    def _call(self, given: Mapping[str, Any]) -> Iterator[Event]:
        function = given.get("function") or {}
        # Without an index a call that brings an id is a new one.
        index = given.get("index")
        if index is None:
            index = given.get("id") or next(reversed(self._calls), "")
        call = self._calls.get(index)
        if call is None:
            if self._items and not isinstance(self._items[-1], Call):
                yield from self._close()
            name = str(function.get("name") or "")
            call_id = given.get("id") or f"call_{self._id('')}"
            call = Call(call_item(call_id, name, "", self.named), self._id, len(self._items))
            self._calls[index] = call
            yield from self._open(call)
        yield from self._numbered(call.more(str(function.get("arguments") or "")))

    def _open(self, item: Open) -> Iterator[Event]:
        self._items.append(item)
        yield from self._numbered(item.begin())

    def _close(self) -> Iterator[Event]:
        for item in self._items:
            if not item.closed:
                item.closed = True
                yield from self._numbered(item.end())
        self.response["output"] = [item.done() for item in self._items]

    def _id(self, prefix: str) -> str:
        name = digest([self.response["id"], len(self._items)])[:32]
        return f"{prefix}_{name}" if prefix else name

    def _numbered(self, events: Iterator[Event]) -> Iterator[Event]:
        for event in events:
            self._number += 1
            yield {**event, "sequence_number": self._number - 1}

    def _whole(self, kind: str) -> Event:
        self._number += 1
        return {
            "type": kind,
            "sequence_number": self._number - 1,
            "response": dict(self.response),
        }


def response_usage(usage: Mapping[str, Any]) -> Item:
    """A chat's usage as that of a response; details that were not told are 0, as the API has it."""
    read = usage.get("prompt_tokens_details") or {}
    written = usage.get("completion_tokens_details") or {}
    given, made = usage.get("prompt_tokens") or 0, usage.get("completion_tokens") or 0
    return {
        "input_tokens": given,
        "input_tokens_details": {"cached_tokens": read.get("cached_tokens") or 0},
        "output_tokens": made,
        "output_tokens_details": {"reasoning_tokens": written.get("reasoning_tokens") or 0},
        "total_tokens": usage.get("total_tokens") or given + made,
    }
