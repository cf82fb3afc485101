"""Pass-through backend: forwards every request to another OpenAI-compatible server."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from harness.endpoint import is_loopback, parse_url, read_key, scrub
from harness.gateway.server import GatewayError


class Upstream:
    """Backend that asks `base_url`, with the key in the environment variable `key_env`.

    Refusals of the server keep their status and code; an unreachable one is 502, a silent one 504.
    Raises UserError for a bad address or a missing key. `close` when done.
    """

    def __init__(
        self, base_url: str, key_env: str | None = None, *, timeout_s: float = 600.0
    ) -> None:
        self._local = is_loopback(parse_url(base_url).hostname or "")
        self._base = base_url.rstrip("/")
        self._secrets = [read_key(key_env)] if key_env else []
        self._timeout_s = timeout_s
        self._session: aiohttp.ClientSession | None = None

    async def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        """Forward one request; the reply is passed on as it is."""
        async with self._send("POST", "/chat/completions", request) as response:
            return await self._json(response)

    async def stream(self, request: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        """Forward one streaming request, chunk by chunk."""
        async with self._send("POST", "/chat/completions", request) as response:
            if response.content_type != "text/event-stream":
                raise self._bad(f"expected a stream, got {response.content_type}")
            async for data in _events(response):
                if data == b"[DONE]":
                    return
                chunk = self._decode(data)
                if error := chunk.get("error"):
                    raise self._refusal(502, error)
                yield chunk
            raise self._bad("the stream ended early")

    async def models(self) -> list[str]:
        """Names of the server's models."""
        async with self._send("GET", "/models") as response:
            return [str(entry["id"]) for entry in (await self._json(response)).get("data", [])]

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    @asynccontextmanager
    async def _send(
        self, method: str, path: str, body: dict[str, Any] | None = None
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        if self._session is None:
            self._session = self._connect()
        failure = None  # raised outside the handler: the original may quote the key
        try:
            async with self._session.request(method, self._base + path, json=body) as response:
                if response.status >= 400:
                    text = await response.text(errors="replace")
                    after = response.headers.get("Retry-After")
                    raise self._refusal(response.status, _error_of(text), after)
                yield response
        except TimeoutError:
            text = f"the upstream was silent for {self._timeout_s:g} s"
            failure = GatewayError(504, "upstream_timeout", text)
        except aiohttp.ClientError as exc:
            text = scrub(f"the upstream cannot be reached: {exc}", self._secrets)
            failure = GatewayError(502, "upstream_unreachable", text)
        if failure:
            raise failure

    def _connect(self) -> aiohttp.ClientSession:
        return aiohttp.ClientSession(
            headers=[("Authorization", f"Bearer {key}") for key in self._secrets],
            connector=aiohttp.TCPConnector(limit=0),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=10, sock_read=self._timeout_s),
            trust_env=not self._local,  # a machine's proxy cannot reach its own loopback
        )

    async def _json(self, response: aiohttp.ClientResponse) -> dict[str, Any]:
        return self._decode(await response.read())

    def _decode(self, raw: bytes) -> dict[str, Any]:
        try:
            data = json.loads(raw)
        except (ValueError, RecursionError) as exc:
            raise self._bad(f"it sent no JSON: {exc}") from exc
        if not isinstance(data, dict):
            raise self._bad("it sent no JSON object")
        return data

    def _refusal(self, status: int, error: Any, after: str | None = None) -> GatewayError:
        error = error if isinstance(error, dict) else {"message": str(error)}
        text = scrub(f"upstream: {error.get('message') or error}", self._secrets)
        code = str(error.get("code") or error.get("type") or "upstream_error")
        return GatewayError(status, code, text[:2000], param=error.get("param"), retry_after=after)

    def _bad(self, text: str) -> GatewayError:
        return GatewayError(502, "upstream_bad_reply", f"upstream: {text}")


def _error_of(text: str) -> Any:
    """The error object of a refusal's body, or its text where it has none."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return data.get("error", data) if isinstance(data, dict) else text


async def _events(response: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    """The data of server-sent events; own line splitting, as aiohttp bounds a line's length."""
    rest = b""
    async for block in response.content.iter_any():
        *lines, rest = (rest + block).split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                yield line[5:].strip()
