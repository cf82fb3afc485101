"""How an answer is put on the wire, per route: as a whole, or as server-sent events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from harness.gateway.answers import ResponseEvents, response_of
from harness.gateway.items import Tool
from harness.gateway.wire import GatewayError, event


class Shape(Protocol):
    """`usage`: whether a stream tells it. The rest turns what a backend gave into what is sent."""

    usage: bool

    def whole(self, reply: dict[str, Any]) -> dict[str, Any]: ...
    def feed(self, chunk: dict[str, Any]) -> Iterator[bytes]: ...
    def end(self) -> Iterator[bytes]: ...
    def fail(self, error: GatewayError) -> Iterator[bytes]: ...


class ChatShape:
    """A chat completion as it is."""

    def __init__(self, body: Mapping[str, Any]) -> None:
        self.usage = bool((body.get("stream_options") or {}).get("include_usage"))

    def whole(self, reply: dict[str, Any]) -> dict[str, Any]:
        return reply

    def feed(self, chunk: dict[str, Any]) -> Iterator[bytes]:
        yield event(chunk)

    def end(self) -> Iterator[bytes]:
        yield b"data: [DONE]\n\n"

    def fail(self, error: GatewayError) -> Iterator[bytes]:
        yield event(error.body)


class ResponseShape:
    """A chat completion as a response."""

    usage = True

    def __init__(self, body: Mapping[str, Any], named: Mapping[str, Tool]) -> None:
        self.body = body
        self.named = named
        self.events = ResponseEvents(body, named)

    def whole(self, reply: dict[str, Any]) -> dict[str, Any]:
        return response_of(reply, self.body, self.named)

    def feed(self, chunk: dict[str, Any]) -> Iterator[bytes]:
        return map(_named, self.events.feed(chunk))

    def end(self) -> Iterator[bytes]:
        return map(_named, self.events.end())

    def fail(self, error: GatewayError) -> Iterator[bytes]:
        return map(_named, self.events.fail(error))


class PassedShape(ResponseShape):
    """A response of an upstream as it is."""

    def whole(self, reply: dict[str, Any]) -> dict[str, Any]:
        return reply

    def feed(self, chunk: dict[str, Any]) -> Iterator[bytes]:
        yield _named(chunk)

    def end(self) -> Iterator[bytes]:
        return iter(())


def _named(given: dict[str, Any]) -> bytes:
    return event(given, str(given.get("type", "error")))
