"""What goes over the wire whatever the route: refusals, server-sent events, JSON bodies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

PIECE = 1024  # characters of text or arguments in one streamed chunk


class GatewayError(Exception):
    """A refusal, sent as an OpenAI error body with this HTTP status.

    code: short stable word; param: the request field at fault; retry_after: header value, if any.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        param: str | None = None,
        retry_after: str | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.param = param
        self.retry_after = retry_after

    @property
    def body(self) -> dict[str, Any]:
        """The OpenAI error object of this refusal."""
        kinds = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}
        kind = "server_error" if self.status >= 500 else "invalid_request_error"
        kind = kinds.get(self.status, kind)
        return {
            "error": {"message": str(self), "type": kind, "param": self.param, "code": self.code}
        }


def internal() -> GatewayError:
    """The refusal for a fault of our own; what it was stands in the log only."""
    return GatewayError(500, "internal_error", "the gateway's backend failed; see its log")


def invalid(param: str, text: str) -> GatewayError:
    """The refusal of a request whose field `param` is wrong; `text` says what it must be."""
    return GatewayError(400, "invalid_request", f"{param!r} {text}", param=param)


def dump(data: Any) -> bytes:
    """JSON as it is sent. Escaped, so that half surrogate pairs pass through as they came."""
    return json.dumps(data, separators=(",", ":")).encode("ascii")


def event(data: dict[str, Any], name: str | None = None) -> bytes:
    """One server-sent event."""
    head = f"event: {name}\n".encode("ascii") if name else b""
    return head + b"data: " + dump(data) + b"\n\n"


def parse_object(raw: bytes) -> dict[str, Any]:
    """The JSON object of a request's body. Raises GatewayError 400 where it is none."""
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError) as exc:
        raise GatewayError(400, "invalid_json", f"the body is not JSON: {exc}") from exc
    if not isinstance(body, dict):
        raise GatewayError(400, "invalid_json", "the body must be a JSON object")
    return body


def require(body: dict[str, Any], types: dict[str, Any]) -> None:
    """Check fields by name -> type or union. Raises GatewayError 400 naming the wrong one."""
    if not (isinstance(body.get("model"), str) and body["model"]):
        raise invalid("model", "must be a name")
    for name, kind in types.items():
        if not isinstance(body.get(name), kind):
            raise invalid(name, "must be of the type the API gives")


def chunks_of(reply: dict[str, Any], with_usage: bool) -> Iterator[dict[str, Any]]:
    """Cut a whole chat completion into the chunks of a stream, usage last if asked for."""
    head = {k: v for k, v in reply.items() if k not in ("choices", "usage", "object")}
    head["object"] = "chat.completion.chunk"
    tail = {"usage": None} if with_usage else {}
    for choice in reply["choices"]:
        for delta in _deltas(choice["message"]):
            part = {"index": choice["index"], "delta": delta, "finish_reason": None}
            yield {**head, "choices": [part], **tail}
        part = {"index": choice["index"], "delta": {}, "finish_reason": choice["finish_reason"]}
        yield {**head, "choices": [part], **tail}
    if with_usage:
        yield {**head, "choices": [], "usage": reply.get("usage")}


def _deltas(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield {"role": message["role"], "content": None if message.get("content") is None else ""}
    for name in ("reasoning_content", "reasoning", "refusal", "content"):
        for piece in pieces(message.get(name)):
            yield {name: piece}
    for index, call in enumerate(message.get("tool_calls") or []):
        function = call["function"]
        start = {"name": function["name"], "arguments": ""}
        yield {"tool_calls": [{"index": index, **call, "function": start}]}
        for piece in pieces(function["arguments"]):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def pieces(text: Any) -> Iterator[str]:
    """A text in pieces of PIECE characters; nothing for what is no text."""
    text = text if isinstance(text, str) else ""
    for at in range(0, len(text), PIECE):
        yield text[at : at + PIECE]
