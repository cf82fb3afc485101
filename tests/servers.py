"""A server that misbehaves on purpose, and models of it that do not really wait."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from aiohttp import web

from harness.model import Model, ModelSpec
from harness.tape import Tape

USER = [{"role": "user", "content": "hello"}]
TOOL = {"type": "function", "function": {"name": "run", "parameters": {"type": "object"}}}


def completion(message: dict[str, Any], **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {"id": "c", "model": "m-1", "choices": [choice], **more}


GOOD = completion(
    {"role": "assistant", "content": "hi", "refusal": None, "audio": None},
    usage={"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": None},
)


def answer(status: int, body: Any = None, **headers: str) -> Callable[..., Any]:
    """A step of the server's script: this status, JSON or raw text, and headers."""

    async def step(request: web.Request) -> web.Response:
        given = {"Content-Type": "application/json"}
        given |= {k.replace("_", "-"): v for k, v in headers.items()}
        text = body if isinstance(body, str) else json.dumps(body)
        return web.Response(status=status, body=text.encode("utf-8"), headers=given)

    return step


def refuse(
    status: int, message: str, code: str | None = None, **headers: str
) -> Callable[..., Any]:
    error = {"message": message, "type": "invalid_request_error", "param": None, "code": code}
    return answer(status, {"error": error}, **headers)


async def reset(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b'{"id": "c", ')
    request.transport.abort()
    return response


async def invalid_utf8(request: web.Request) -> web.Response:
    return web.Response(body=b'{"choices": "\xff"}', content_type="application/json")


async def silence(request: web.Request) -> web.Response:
    await asyncio.sleep(30)
    return web.Response()


async def drip(request: web.Request) -> web.StreamResponse:
    """Keeps the connection busy and never comes to the point."""
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    await response.prepare(request)
    for _ in range(300):
        await response.write(b" ")
        await asyncio.sleep(0.1)
    return response


class Server:
    """Plays `script` step by step; the last step is repeated. Keeps bodies and headers."""

    def __init__(self) -> None:
        self.script: list[Callable[..., Any]] = [answer(200, GOOD)]
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[Any] = []
        self.paths: list[str] = []
        self.base_url = ""

    async def play(self, request: web.Request) -> web.StreamResponse:
        if request.method == "POST":
            self.bodies.append(await request.json())
        self.headers.append(request.headers)
        self.paths.append(request.path)
        step = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        return await step(request)


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    it = Server()
    app = web.Application(client_max_size=64 * 2**20)
    app.router.add_route("*", "/v1/{path:.*}", it.play)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    it.base_url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    yield it
    await runner.cleanup()


class Clock:
    """Stands in for sleeping; remembers the waits."""

    def __init__(self) -> None:
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)


@pytest.fixture
async def make(server: Server) -> AsyncIterator[Callable[..., Model]]:
    """Models of the fault server that do not really sleep; closed at the end."""
    made: list[Model] = []

    def build(tape: Tape | None = None, **given: Any) -> Model:
        clock = Clock()
        spec = ModelSpec(**{"name": "m", "base_url": server.base_url, **given})
        model = Model(spec, tape=tape, sleep=clock.sleep)
        model.clock = clock
        made.append(model)
        return model

    yield build
    for model in made:
        await model.close()
