"""Pass-through backend: forwards every request to another OpenAI-compatible server."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import Any

import aiohttp

from harness.endpoint import is_loopback, parse_url, read_key, scrub
from harness.gateway.wire import GatewayError

LAST = ("response.completed", "response.incomplete", "response.failed", "error")
"""Events of the Responses API after which none comes."""


class Upstream:
    """Backend that asks `base_url`, with the key in the environment variable `key_env`.

    model: asked for whatever the client names; None passes the client's on. api: "responses" or
    "chat" where requests of the Responses API are to be put so; "auto" looks what the server has.
    headers: sent with every request, never shown.
    Refusals of the server keep their status and code; an unreachable one is 502, a silent one 504.
    Raises UserError for a bad address or a missing key. `close` when done.
    """

    def __init__(
        self,
        base_url: str,
        key_env: str | None = None,
        *,
        model: str | None = None,
        api: str = "auto",
        headers: Mapping[str, str] | None = None,
        timeout_s: float = 600.0,
    ) -> None:
        url = parse_url(base_url)
        self.where = f"{url.hostname}{f':{url.port}' if url.port else ''}{url.path}"
        self._local = is_loopback(url.hostname or "")
        self._base = base_url.rstrip("/")
        self._headers = dict(headers or {})
        self._secrets = [value for value in self._headers.values() if len(value) >= 8]
        if key_env:
            self._secrets.append(read_key(key_env))
            self._headers["Authorization"] = f"Bearer {self._secrets[-1]}"
        self._timeout_s = timeout_s
        self._named = {"model": model} if model else {}
        self._responds = {"chat": False, "responses": True}.get(api)
        self._session: aiohttp.ClientSession | None = None

    async def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        """Forward one request; the reply is passed on as it is."""
        async with self._send("POST", "/chat/completions", request) as response:
            return await self._json(response)

    async def stream(self, request: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        """Forward one streaming request, chunk by chunk."""
        async with aclosing(self._stream("/chat/completions", request)) as chunks:
            async for chunk in chunks:
                if error := chunk.get("error"):
                    raise self._refusal(502, error)
                yield chunk

    async def responds(self) -> bool:
        """Whether the server has the Responses API; asked once, with an empty request."""
        if self._responds is None:
            try:
                async with self._send("POST", "/responses", {}):
                    self._responds = True
            except GatewayError as error:
                if error.status >= 502:
                    raise
                self._responds = error.status not in (404, 405, 501)
        return self._responds

    async def respond(self, request: dict[str, Any]) -> dict[str, Any]:
        """Forward one request of the Responses API."""
        async with self._send("POST", "/responses", request) as response:
            return await self._json(response)

    async def respond_stream(self, request: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        """Forward one streaming request of the Responses API, event by event."""
        async with aclosing(self._stream("/responses", request, LAST)) as events:
            async for event in events:
                yield event

    async def models(self) -> list[str]:
        """Names of the server's models."""
        async with self._send("GET", "/models") as response:
            return [str(entry["id"]) for entry in (await self._json(response)).get("data", [])]

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _stream(
        self, path: str, request: dict[str, Any], last: Collection[str] = ()
    ) -> AsyncIterator[dict[str, Any]]:
        """The decoded events up to [DONE], or to the first of a type in `last`."""
        async with self._send("POST", path, request) as response:
            if response.content_type != "text/event-stream":
                raise self._bad(f"expected a stream, got {response.content_type}")
            async for data in _events(response):
                if data == b"[DONE]":
                    return
                event = self._decode(data)
                yield event
                if event.get("type") in last:
                    return
            raise self._bad("the stream ended early")

    @asynccontextmanager
    async def _send(
        self, method: str, path: str, body: dict[str, Any] | None = None
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        if self._session is None:
            self._session = self._connect()
        if body:
            body = body | self._named
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
            headers=self._headers,
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
