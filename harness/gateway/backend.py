"""What can stand behind the gateway: what every backend does, and what some do by themselves."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Protocol, runtime_checkable


class Backend(Protocol):
    """What answers the requests. It runs in the event loop and must not block it for long."""

    async def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        """One chat completion (OpenAI response shape); raises GatewayError for a refusal."""
        ...


@runtime_checkable
class StreamingBackend(Protocol):
    """A backend that streams by itself; others are cut into chunks by the gateway."""

    def stream(self, request: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        """Chunks of one chat completion; a GatewayError before the first becomes its status."""
        ...


@runtime_checkable
class RespondingBackend(Protocol):
    """A backend that may speak the Responses API by itself; others get chat completions."""

    async def responds(self) -> bool:
        """Whether it does."""
        ...

    async def respond(self, request: dict[str, Any]) -> dict[str, Any]:
        """One response; raises GatewayError for a refusal."""
        ...

    def respond_stream(self, request: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        """The events of one response; a GatewayError before the first becomes its status."""
        ...


@runtime_checkable
class ListingBackend(Protocol):
    """A backend that can name its models; for others the list is empty."""

    async def models(self) -> list[str]:
        """Model names for GET /v1/models."""
        ...
