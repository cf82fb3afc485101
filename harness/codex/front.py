"""What Codex takes for its model: every request waits here until the harness answers it."""

from __future__ import annotations

import asyncio
import json
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web

from harness.gateway.answers import ResponseEvents
from harness.gateway.responses import Tool, chat_request, parse_responses
from harness.gateway.wire import GatewayError, chunks_of, event
from harness.text import content_text
from harness.types import Message, Usage

MAX_BODY = 64 * 2**20


@dataclass
class Asked:
    """One request of Codex that waits for its answer.

    kind: "turn", or "compaction" where a summary is wanted. thread: Codex's session. messages and
    tools: as a chat has them; outputs: what tools gave back so far, by the id of their call.
    """

    kind: str
    thread: str
    messages: list[Message]
    tools: list[dict[str, Any]]
    outputs: dict[str, str]
    body: dict[str, Any]
    named: dict[str, Tool]
    events: asyncio.Future[list[dict[str, Any]]] = field(repr=False)

    def answer(self, message: Message, usage: Usage) -> None:
        """Let Codex have a reply of the model, with the usage that it is to be told."""
        self._send(message, usage)

    def end_turn(self, usage: Usage) -> None:
        """Let Codex's turn end here: a reply that says and calls nothing."""
        self._send({"role": "assistant", "content": ""}, usage)

    def _send(self, message: Message, usage: Usage) -> None:
        made = ResponseEvents(self.body, self.named)
        events: list[dict[str, Any]] = []
        for chunk in chunks_of(_completion(self.body["model"], message, usage), with_usage=True):
            events.extend(made.feed(chunk))
        events.extend(made.end())
        if not self.events.done():
            self.events.set_result(events)


def _completion(model: str, message: Message, usage: Usage) -> dict[str, Any]:
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {
        "id": f"chatcmpl-{secrets.token_hex(12)}",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [choice],
        "usage": {
            "prompt_tokens": usage.input,
            "completion_tokens": usage.output,
            "total_tokens": (usage.input or 0) + (usage.output or 0),
            "prompt_tokens_details": {"cached_tokens": usage.cached},
        },
    }


class Front:
    """The server of one trial. `token`: what Codex must show; `asked`: requests as they come."""

    def __init__(self) -> None:
        self.token = secrets.token_urlsafe(16)
        self.asked: asyncio.Queue[Asked] = asyncio.Queue()
        self.port = 0
        self._runner: web.AppRunner | None = None

    async def start(self, socket: Path | None = None) -> None:
        """Listen on a socket file, or where there is none on a free port of loopback."""
        app = web.Application(client_max_size=MAX_BODY)
        app.router.add_post("/v1/responses", self._responses)
        runner = web.AppRunner(
            app, access_log=None, handler_cancellation=True, shutdown_timeout=1.0
        )
        await runner.setup()
        self._runner = runner
        if socket is not None:
            await web.UnixSite(runner, str(socket)).start()
            socket.chmod(0o666)  # the sandbox's uid connects to it
        else:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            self.port = runner.addresses[0][1]

    async def stop(self) -> None:
        """Close; requests that still wait are given up."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def _responses(self, request: web.Request) -> web.StreamResponse:
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if not secrets.compare_digest(given.encode(), self.token.encode()):
            return _refusal(GatewayError(401, "invalid_api_key", "not the token of this trial"))
        try:
            asked = read_request(await request.read())
        except GatewayError as error:
            return _refusal(error)
        self.asked.put_nowait(asked)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for made in await asked.events:
            await response.write(event(made, made["type"]))
        await response.write_eof()
        return response


def read_request(raw: bytes) -> Asked:
    """A body of Codex as what is asked. Raises GatewayError 400 for what it must not be."""
    body = parse_responses(raw)
    told = body.get("client_metadata")
    told = told if isinstance(told, dict) else {}
    try:
        turn = json.loads(told.get("x-codex-turn-metadata") or "{}")
    except ValueError:
        turn = {}
    kind = turn.get("request_kind") or ("turn" if body.get("tools") else "compaction")
    if kind not in ("turn", "compaction"):
        raise GatewayError(400, "unexpected_request", f"no request of kind {kind!r} is served here")
    chat, named = chat_request(body)
    messages = chat["messages"]
    return Asked(
        kind=kind,
        thread=str(told.get("thread_id") or body.get("prompt_cache_key") or ""),
        messages=messages,
        tools=chat.get("tools") or [],
        outputs={m["tool_call_id"]: content_text(m) for m in messages if m["role"] == "tool"},
        body=body,
        named=named,
        events=asyncio.get_running_loop().create_future(),
    )


def _refusal(error: GatewayError) -> web.Response:
    return web.json_response(error.body, status=error.status)
