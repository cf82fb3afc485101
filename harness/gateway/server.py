"""The HTTP side of the gateway: routes, who may call, streaming, errors in the OpenAI shape."""

from __future__ import annotations

import hmac
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from typing import Any

from aiohttp import web

from harness.endpoint import is_loopback
from harness.errors import UserError
from harness.gateway.backend import Backend, ListingBackend, RespondingBackend, StreamingBackend
from harness.gateway.chat import parse_chat
from harness.gateway.items import grouped, items_of
from harness.gateway.responses import chat_request, chat_tools, parse_responses, require_stateless
from harness.gateway.sessions import Sessions, session_name
from harness.gateway.shapes import ChatShape, PassedShape, ResponseShape, Shape
from harness.gateway.wire import GatewayError, chunks_of, dump, internal

log = logging.getLogger(__name__)

MAX_BODY = 64 * 2**20
STREAM = "text/event-stream"
ROUTES = {
    "/v1/chat/completions": "POST",
    "/v1/responses": "POST",
    "/v1/models": "GET",
    "/v1/sessions": "GET",
    "/health": "GET",
}


class Gateway:
    """Serve `backend` on http://host:port/v1; also an async context manager giving itself.

    host: loopback unless `token` is set (UserError otherwise). port: 0 takes a free one.
    token: if set, every call but /health must carry it as a bearer token. sessions: the strategy
    that acts on what is passed on; None passes everything on as it is.
    """

    def __init__(
        self,
        backend: Backend,
        host: str = "127.0.0.1",
        port: int = 0,
        token: str | None = None,
        sessions: Sessions | None = None,
    ) -> None:
        if token is None and not is_loopback(host):
            raise UserError(
                f"the gateway would listen on {host!r}, open to other machines; "
                "require a token (--token-env) or use host 127.0.0.1"
            )
        self.backend = backend
        self.sessions = sessions
        self.host = host
        self.port = port
        self.base_url = ""
        self._token = token
        self._runner: web.AppRunner | None = None

    async def start(self) -> str:
        """Listen and return the base URL. Raises UserError where the address cannot be had."""
        app = web.Application(middlewares=[self._guard], client_max_size=MAX_BODY)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_post("/v1/responses", self._responses)
        app.router.add_get("/v1/models", self._models)
        app.router.add_get("/v1/sessions", self._sessions)
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
            return _error_response(internal())

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
        body = parse_chat(await _read(request))
        told: dict[str, str] = {}
        if self.sessions:
            name = session_name(request.headers, body)
            body["messages"], told = await self.sessions.shorten(name, body["messages"], body)
        return await self._answer(request, body, ChatShape(body), told)

    async def _responses(self, request: web.Request) -> web.StreamResponse:
        body = parse_responses(await _read(request))
        name = session_name(request.headers, body)
        told: dict[str, str] = {}
        if isinstance(self.backend, RespondingBackend) and await self.backend.responds():
            if self.sessions:
                body, told = await _shorten_items(self.sessions, name, body)
            if body.get("stream"):
                events = self.backend.respond_stream(body)
                return await _relay(request, events, PassedShape(body, {}), told)
            return _json_response(await self.backend.respond(body), told)
        chat, named = chat_request(body)
        if self.sessions:
            chat["messages"], told = await self.sessions.shorten(name, chat["messages"], chat)
        return await self._answer(request, chat, ResponseShape(body, named), told)

    async def _answer(
        self, request: web.Request, chat: dict[str, Any], shape: Shape, told: dict[str, str]
    ) -> web.StreamResponse:
        if not chat.get("stream"):
            return _json_response(shape.whole(await self.backend.complete(chat)), told)
        if isinstance(self.backend, StreamingBackend):
            return await _relay(request, self.backend.stream(chat), shape, told)
        reply = await self.backend.complete(
            {k: v for k, v in chat.items() if k not in ("stream", "stream_options")}
        )
        sent = [part for chunk in chunks_of(reply, shape.usage) for part in shape.feed(chunk)]
        body = b"".join([*sent, *shape.end()])
        return web.Response(body=body, content_type=STREAM, headers=told)

    async def _models(self, request: web.Request) -> web.Response:
        names = await self.backend.models() if isinstance(self.backend, ListingBackend) else []
        entry = {"object": "model", "created": 0, "owned_by": "seambench"}
        return _json_response({"object": "list", "data": [{"id": n, **entry} for n in names]})

    async def _sessions(self, request: web.Request) -> web.Response:
        if self.sessions is None:
            raise GatewayError(404, "no_strategy", "this gateway passes everything on; no sessions")
        return _json_response({"object": "list", "data": self.sessions.table()})

    async def _health(self, request: web.Request) -> web.Response:
        return _json_response({"status": "ok"})

    async def _unknown(self, request: web.Request) -> web.Response:
        if method := ROUTES.get(request.path):
            text = f"{request.path} takes {method}, not {request.method}"
            raise GatewayError(405, "method_not_allowed", text)
        text = f"no such path: {request.method} {request.path}"
        if request.path.startswith("/v1/responses/"):
            text = "this gateway stores no responses; a stream is cancelled by closing it"
        raise GatewayError(404, "unknown_url", text)


async def _read(request: web.Request) -> bytes:
    try:
        return await request.read()
    except (web.RequestPayloadError, ConnectionError) as exc:
        raise GatewayError(400, "invalid_body", f"the body broke off: {exc}") from exc


async def _shorten_items(
    sessions: Sessions, name: str | None, body: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, str]]:
    """A request of the Responses API with shortened input; what stays is said as it came."""
    require_stateless(body)
    _, named = chat_tools(body.get("tools") or [])
    groups = grouped(body["input"], named)
    view, told = await sessions.shorten(name, [group.message for group in groups], body)
    return {**body, "input": items_of(view, named, groups)}, told


async def _relay(
    request: web.Request,
    chunks: AsyncIterator[dict[str, Any]],
    shape: Shape,
    told: dict[str, str],
) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": STREAM, **told})
    async with aclosing(chunks):
        first = await anext(chunks, None)  # an error here still has a status of its own
        await response.prepare(request)
        try:
            if first is not None:
                await _write(response, shape.feed(first))
            async for chunk in chunks:
                await _write(response, shape.feed(chunk))
            await _write(response, shape.end())
        except GatewayError as error:
            await _write(response, shape.fail(error))
        except Exception:
            if request.transport is None or request.transport.is_closing():
                return response  # the client hung up
            log.exception("the gateway's backend failed in mid-stream")
            await _write(response, shape.fail(internal()))
    await response.write_eof()
    return response


async def _write(response: web.StreamResponse, parts: Iterator[bytes]) -> None:
    await response.write(b"".join(parts))


def _json_response(data: Any, headers: dict[str, str] | None = None) -> web.Response:
    return web.Response(body=dump(data), content_type="application/json", headers=headers)


def _error_response(error: GatewayError) -> web.Response:
    headers = {"Retry-After": error.retry_after} if error.retry_after else None
    body = dump(error.body)
    return web.Response(
        status=error.status, body=body, headers=headers, content_type="application/json"
    )


def _host_name(host: str) -> str:
    """The name in a Host header, without the port."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]
