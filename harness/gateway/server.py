"""The HTTP side of the gateway: routes, checks, streaming, errors in the OpenAI shape."""

from __future__ import annotations

import hmac
import json
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from typing import Any, Protocol, runtime_checkable

from aiohttp import web

from harness.endpoint import is_loopback
from harness.errors import UserError

log = logging.getLogger(__name__)

MAX_BODY = 64 * 2**20
PIECE = 1024  # characters of text or arguments in one streamed chunk


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
class ListingBackend(Protocol):
    """A backend that can name its models; for others the list is empty."""

    async def models(self) -> list[str]:
        """Model names for GET /v1/models."""
        ...


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


class Gateway:
    """Serve `backend` on http://host:port/v1; also an async context manager giving itself.

    host: loopback unless `token` is set (UserError otherwise). port: 0 takes a free one.
    token: if set, every call but /health must carry it as a bearer token.
    """

    def __init__(
        self, backend: Backend, host: str = "127.0.0.1", port: int = 0, token: str | None = None
    ) -> None:
        if token is None and not is_loopback(host):
            raise UserError(
                f"the gateway would listen on {host!r}, open to other machines; "
                "set a token or use host 127.0.0.1"
            )
        self.backend = backend
        self.host = host
        self.port = port
        self.base_url = ""
        self._token = token
        self._runner: web.AppRunner | None = None

    async def start(self) -> str:
        """Listen and return the base URL. Raises UserError where the address cannot be had."""
        app = web.Application(middlewares=[self._guard], client_max_size=MAX_BODY)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_get("/v1/models", self._models)
        app.router.add_get("/health", self._health)
        app.router.add_route("*", "/{path:.*}", self._unknown)
        # handler_cancellation: a client that hangs up ends the work done for it.
        runner = web.AppRunner(
            app, access_log=None, handler_cancellation=True, shutdown_timeout=1.0
        )
        await runner.setup()
        try:
            await web.TCPSite(runner, self.host, self.port).start()
        except OSError as exc:
            await runner.cleanup()
            raise UserError(
                f"the gateway cannot listen on {self.host}:{self.port}: {exc.strerror}"
            ) from exc
        self._runner = runner
        self.port = runner.addresses[0][1]
        shown = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(self.host, self.host)
        self.base_url = f"http://[{shown}]:{self.port}/v1"
        if ":" not in shown:
            self.base_url = f"http://{shown}:{self.port}/v1"
        return self.base_url

    async def stop(self) -> None:
        """Close the port; requests still running get one second, then are cancelled."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> Gateway:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    @web.middleware
    async def _guard(self, request: web.Request, handler: Any) -> web.StreamResponse:
        try:
            self._admit(request)
            return await handler(request)
        except GatewayError as error:
            return _error_response(error)
        except web.HTTPRequestEntityTooLarge:
            text = f"the body is larger than {MAX_BODY} bytes"
            return _error_response(GatewayError(413, "request_too_large", text))
        except Exception:
            log.exception("the gateway's backend failed on %s", request.path)
            return _error_response(_internal())

    def _admit(self, request: web.Request) -> None:
        if request.path == "/health":
            return
        if self._token is not None:
            given = request.headers.get("Authorization", "").removeprefix("Bearer ")
            # surrogateescape: header bytes that are no UTF-8 reach us as surrogates.
            same = hmac.compare_digest(
                given.encode("utf-8", "surrogateescape"), self._token.encode("utf-8")
            )
            if not same:
                text = "missing or wrong bearer token for this gateway"
                raise GatewayError(401, "invalid_api_key", text)
        elif not is_loopback(_host_name(request.host)):
            # A web page can point its own host name at loopback; without a token only we look.
            text = f"host {request.host!r} is not loopback and the gateway has no token"
            raise GatewayError(403, "forbidden_host", text)

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body = _parse_chat(await _read(request))
        if not body.get("stream"):
            return _json_response(await self.backend.complete(body))
        if isinstance(self.backend, StreamingBackend):
            return await self._relay(request, body)
        reply = await self.backend.complete(
            {k: v for k, v in body.items() if k not in ("stream", "stream_options")}
        )
        with_usage = bool((body.get("stream_options") or {}).get("include_usage"))
        events = [_event(chunk) for chunk in chunks_of(reply, with_usage)]
        return web.Response(
            body=b"".join(events) + b"data: [DONE]\n\n", content_type="text/event-stream"
        )

    async def _relay(self, request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        async with aclosing(self.backend.stream(body)) as chunks:
            first = await anext(chunks, None)  # an error here still has a status of its own
            await response.prepare(request)
            try:
                if first is not None:
                    await response.write(_event(first))
                async for chunk in chunks:
                    await response.write(_event(chunk))
                await response.write(b"data: [DONE]\n\n")
            except GatewayError as error:
                await response.write(_event(error.body))
            except Exception:
                if request.transport is None or request.transport.is_closing():
                    return response  # the client hung up
                log.exception("the gateway's backend failed in mid-stream")
                await response.write(_event(_internal().body))
        await response.write_eof()
        return response

    async def _models(self, request: web.Request) -> web.Response:
        names = await self.backend.models() if isinstance(self.backend, ListingBackend) else []
        entry = {"object": "model", "created": 0, "owned_by": "seambench"}
        return _json_response({"object": "list", "data": [{"id": n, **entry} for n in names]})

    async def _health(self, request: web.Request) -> web.Response:
        return _json_response({"status": "ok"})

    async def _unknown(self, request: web.Request) -> web.Response:
        known = {"/v1/chat/completions": "POST", "/v1/models": "GET", "/health": "GET"}
        if method := known.get(request.path):
            text = f"{request.path} takes {method}, not {request.method}"
            raise GatewayError(405, "method_not_allowed", text)
        raise GatewayError(404, "unknown_url", f"no such path: {request.method} {request.path}")


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
    for piece in _pieces(message.get("content")):
        yield {"content": piece}
    for index, call in enumerate(message.get("tool_calls") or []):
        function = call["function"]
        start = {"name": function["name"], "arguments": ""}
        yield {"tool_calls": [{"index": index, **call, "function": start}]}
        for piece in _pieces(function["arguments"]):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def _pieces(text: str | None) -> Iterator[str]:
    text = text or ""
    for at in range(0, len(text), PIECE):
        yield text[at : at + PIECE]


async def _read(request: web.Request) -> bytes:
    try:
        return await request.read()
    except (web.RequestPayloadError, ConnectionError) as exc:
        raise GatewayError(400, "invalid_body", f"the body broke off: {exc}") from exc


def _parse_chat(raw: bytes) -> dict[str, Any]:
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError) as exc:
        raise GatewayError(400, "invalid_json", f"the body is not JSON: {exc}") from exc
    if not isinstance(body, dict):
        raise GatewayError(400, "invalid_json", "the body must be a JSON object")
    messages = body.get("messages")
    checks = {
        "model": isinstance(body.get("model"), str) and body["model"] != "",
        "messages": isinstance(messages, list)
        and len(messages) > 0
        and all(isinstance(m, dict) and isinstance(m.get("role"), str) for m in messages),
        "tools": isinstance(body.get("tools"), list | None),
        "stream": isinstance(body.get("stream"), bool | None),
        "stream_options": isinstance(body.get("stream_options"), dict | None),
    }
    for param, good in checks.items():
        if not good:
            shapes = {"model": "a name", "messages": "a list of messages with roles"}
            text = f"{param!r} must be {shapes.get(param, 'of the type the API gives')}"
            raise GatewayError(400, "invalid_request", text, param=param)
    return body


def _dump(data: Any) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode("ascii")


def _event(data: dict[str, Any]) -> bytes:
    return b"data: " + _dump(data) + b"\n\n"


def _json_response(data: Any) -> web.Response:
    return web.Response(body=_dump(data), content_type="application/json")


def _error_response(error: GatewayError) -> web.Response:
    headers = {"Retry-After": error.retry_after} if error.retry_after else None
    body = _dump(error.body)
    return web.Response(
        status=error.status, body=body, headers=headers, content_type="application/json"
    )


def _internal() -> GatewayError:
    return GatewayError(500, "internal_error", "the gateway's backend failed; see its log")


def _host_name(host: str) -> str:
    """The name in a Host header, without the port."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]
