"""Contract of the gateway, held against the official client over loopback."""

from __future__ import annotations

import asyncio
import io
import json
import socket
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import openai
import pytest

from harness.errors import UserError
from harness.gateway import Gateway, GatewayError
from harness.gateway.upstream import Upstream

USER = [{"role": "user", "content": "改名 order to invoice"}]
CALL = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "read_file", "arguments": json.dumps({"path": "src/订单.py"})},
}
TOOL = {"type": "function", "function": {"name": "read_file", "parameters": {"type": "object"}}}
USAGE = {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14}


class Scripted:
    """Answers by model name; remembers what it was asked and whether it was cut off."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.cut_off = asyncio.Event()
        self.running = asyncio.Event()

    async def models(self) -> list[str]:
        return ["echo", "caller"]

    async def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(request)
        text = request["messages"][-1]["content"]
        match request["model"]:
            case "echo":
                return self._reply({"role": "assistant", "content": text})
            case "caller":
                return self._reply({"role": "assistant", "content": None, "tool_calls": [CALL]})
            case "slow":
                await self._wait()
            case "busy":
                raise GatewayError(429, "rate_limit_exceeded", "slow down", retry_after="7")
            case "broken":
                raise RuntimeError("a private detail")
        raise GatewayError(404, "model_not_found", f"no model {request['model']!r}", param="model")

    async def _wait(self) -> None:
        self.running.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            self.cut_off.set()
            raise

    def _reply(self, message: dict[str, Any]) -> dict[str, Any]:
        reason = "tool_calls" if message.get("tool_calls") else "stop"
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "scripted",
            "system_fingerprint": "simulated",
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": USAGE,
        }


class Dripping(Scripted):
    """Streams by itself, word by word, and fails or waits where its model name says so."""

    async def stream(self, request: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        if request["model"] == "nothing":
            raise GatewayError(404, "model_not_found", "no such model")
        for word in ("one ", "two"):
            part = {"index": 0, "delta": {"role": "assistant", "content": word}}
            yield {"id": "c", "object": "chat.completion.chunk", "choices": [part]}
            if request["model"] == "fails":
                raise GatewayError(503, "overloaded", "lost it")
            if request["model"] == "slow":
                await self._wait()


@pytest.fixture
async def backend() -> Scripted:
    return Scripted()


@pytest.fixture
async def gateway(backend: Scripted) -> AsyncIterator[Gateway]:
    async with Gateway(backend) as running:
        yield running


@pytest.fixture
async def client(gateway: Gateway) -> AsyncIterator[openai.AsyncOpenAI]:
    async with connect(gateway.base_url) as it:
        yield it


def connect(base_url: str, key: str = "none") -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(base_url=base_url, api_key=key, max_retries=0)


async def collect(stream: Any) -> list[Any]:
    return [chunk async for chunk in stream]


async def test_chat_gives_text_usage_and_fingerprint(client, backend):
    reply = await client.chat.completions.create(model="echo", messages=USER, temperature=0.5)
    assert reply.choices[0].message.content == USER[0]["content"]
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (11, 3)
    assert reply.system_fingerprint == "simulated"
    assert backend.asked == [{"model": "echo", "messages": USER, "temperature": 0.5}]


async def test_tool_calls_arrive_whole(client, backend):
    reply = await client.chat.completions.create(model="caller", messages=USER, tools=[TOOL])
    assert reply.choices[0].finish_reason == "tool_calls"
    call = reply.choices[0].message.tool_calls[0]
    assert call.model_dump() == CALL
    assert backend.asked[0]["tools"] == [TOOL]


async def test_stream_adds_up_to_the_same_reply(client):
    long = [{"role": "user", "content": "长" * 5000}]
    chunks = await collect(
        await client.chat.completions.create(model="echo", messages=long, stream=True)
    )
    deltas = [c.choices[0].delta for c in chunks]
    assert deltas[0].role == "assistant"
    assert "".join(d.content or "" for d in deltas) == long[0]["content"]
    assert [c.choices[0].finish_reason for c in chunks][-1] == "stop"
    assert len(chunks) > 3 and all(c.usage is None for c in chunks)


async def test_stream_of_tool_calls_with_usage_last(client):
    chunks = await collect(
        await client.chat.completions.create(
            model="caller",
            messages=USER,
            stream=True,
            stream_options={"include_usage": True},
        )
    )
    assert chunks[-1].choices == [] and chunks[-1].usage.prompt_tokens == 11
    calls = [c for k in chunks[:-1] for c in k.choices[0].delta.tool_calls or []]
    assert (calls[0].id, calls[0].type, calls[0].function.name) == (
        "call_1",
        "function",
        "read_file",
    )
    assert "".join(c.function.arguments for c in calls) == CALL["function"]["arguments"]


async def test_models_and_health(client, gateway):
    assert [m.id for m in (await client.models.list()).data] == ["echo", "caller"]
    status, body, _ = await send(gateway, "GET", "/health")
    assert (status, body) == (200, {"status": "ok"})


async def send(
    gateway: Gateway, method: str, path: str, data: bytes = b"", **headers: str
) -> tuple[int, Any, Any]:
    """Status, decoded body and headers of a raw request."""
    url = gateway.base_url.removesuffix("/v1") + path
    async with (
        aiohttp.ClientSession() as session,
        session.request(method, url, data=io.BytesIO(data), headers=headers) as response,
    ):
        return response.status, await response.json(), response.headers


@pytest.mark.parametrize(
    ("model", "kind", "code"),
    [
        ("nobody", openai.NotFoundError, "model_not_found"),
        ("busy", openai.RateLimitError, "rate_limit_exceeded"),
        ("broken", openai.InternalServerError, "internal_error"),
    ],
)
async def test_refusals_are_openai_errors(client, model, kind, code):
    with pytest.raises(kind) as caught:
        await client.chat.completions.create(model=model, messages=USER)
    assert caught.value.code == code
    assert "private" not in str(caught.value)
    assert caught.value.response.headers.get("retry-after") == ("7" if model == "busy" else None)


async def test_a_refusal_of_a_streamed_request_has_its_status(client):
    with pytest.raises(openai.NotFoundError):
        await client.chat.completions.create(model="nobody", messages=USER, stream=True)


@pytest.mark.parametrize(
    ("body", "param"),
    [
        (b"", None),
        (b'{"model": "echo", "messages": [', None),
        (b"\xff\xfe{}", None),
        (b"[" * 100_000, None),
        (b"[]", None),
        (b'{"messages": [{"role": "user"}]}', "model"),
        (b'{"model": "echo", "messages": [{"role": 1}]}', "messages[0]"),
        (b'{"model": "echo", "messages": [{"role": "user", "content": 1}]}', "messages[0].content"),
        (b'{"model": "echo", "messages": [{"role": "tool"}]}', "messages[0].tool_call_id"),
        (b'{"model": "echo", "messages": [{"role": "user"}], "tools": [1]}', "tools[0]"),
        (
            b'{"model": "echo", "messages": [{"role": "assistant", "tool_calls": [{"id": "1"}]}]}',
            "messages[0].tool_calls[0].function",
        ),
        (b'{"model": "echo"}', "messages"),
        (b'{"model": "echo", "messages": []}', "messages"),
        (b'{"model": "echo", "messages": ["hi"]}', "messages[0]"),
        (b'{"model": "echo", "messages": [{"role": "user"}], "stream": "yes"}', "stream"),
        (b'{"model": "echo", "messages": [{"role": "user"}], "tools": {}}', "tools"),
    ],
)
async def test_malformed_bodies_are_400_and_never_reach_the_backend(gateway, backend, body, param):
    status, reply, _ = await send(gateway, "POST", "/v1/chat/completions", body)
    assert status == 400
    assert reply["error"]["type"] == "invalid_request_error"
    assert reply["error"]["param"] == param
    assert backend.asked == []


async def test_unknown_paths_and_methods(gateway):
    status, reply, _ = await send(gateway, "POST", "/v1/embeddings", b"{}")
    assert (status, reply["error"]["code"]) == (404, "unknown_url")
    status, reply, _ = await send(gateway, "GET", "/v1/chat/completions")
    assert (status, reply["error"]["code"]) == (405, "method_not_allowed")


async def test_large_bodies_up_to_64_mb(gateway):
    message = {"model": "nobody", "messages": [{"role": "user", "content": "x" * 5_000_000}]}
    data = json.dumps(message).encode("utf-8")
    status, _, _ = await send(gateway, "POST", "/v1/chat/completions", data)
    assert status == 404
    status, reply, _ = await send(gateway, "POST", "/v1/chat/completions", b" " * (65 * 2**20))
    assert (status, reply["error"]["code"]) == (413, "request_too_large")


async def test_half_surrogates_survive_the_way_through(gateway):
    data = b'{"model": "echo", "messages": [{"role": "user", "content": "\\ud83d"}]}'
    status, reply, _ = await send(gateway, "POST", "/v1/chat/completions", data)
    assert status == 200
    assert reply["choices"][0]["message"]["content"] == "\ud83d"


async def test_a_cancelled_call_ends_the_backends_work(client, backend):
    task = asyncio.create_task(client.chat.completions.create(model="slow", messages=USER))
    await asyncio.wait_for(backend.running.wait(), 5)
    task.cancel()
    await asyncio.wait_for(backend.cut_off.wait(), 5)


async def test_64_at_once_keep_their_answers_apart(client):
    async def ask(n: int) -> str:
        message = [{"role": "user", "content": f"number {n}"}]
        stream = n % 2 == 1
        reply = await client.chat.completions.create(model="echo", messages=message, stream=stream)
        if not stream:
            return reply.choices[0].message.content
        return "".join(c.choices[0].delta.content or "" for c in await collect(reply))

    answers = await asyncio.gather(*map(ask, range(64)))
    assert answers == [f"number {n}" for n in range(64)]


async def test_only_loopback_without_a_token():
    for host in ("0.0.0.0", "::", "", "example.org"):
        with pytest.raises(UserError, match="token"):
            Gateway(Scripted(), host=host)
    async with Gateway(Scripted(), host="0.0.0.0", token="s3cret-token") as gateway:
        assert gateway.base_url == f"http://127.0.0.1:{gateway.port}/v1"


async def test_the_token_is_asked_for_everywhere_but_health():
    async with Gateway(Scripted(), token="s3cret-token") as gateway:
        async with connect(gateway.base_url, "s3cret-token") as good:
            assert (await good.models.list()).data
        for wrong in ("s3cret-toke", "other"):
            async with connect(gateway.base_url, wrong) as bad:
                with pytest.raises(openai.AuthenticationError) as caught:
                    await bad.chat.completions.create(model="echo", messages=USER)
                assert "s3cret-token" not in str(caught.value)
        assert (await send(gateway, "GET", "/v1/models"))[0] == 401
        assert (await send(gateway, "GET", "/health"))[0] == 200


async def test_a_foreign_host_name_is_refused_without_a_token(gateway):
    status, reply, _ = await send(gateway, "GET", "/v1/models", Host="evil.example:80")
    assert (status, reply["error"]["code"]) == (403, "forbidden_host")
    assert (await send(gateway, "GET", "/v1/models", Host="localhost:1"))[0] == 200


async def test_a_taken_port_is_one_clear_line(gateway):
    with pytest.raises(UserError, match=f"cannot listen on 127.0.0.1:{gateway.port}"):
        await Gateway(Scripted(), port=gateway.port).start()


async def test_stop_frees_the_port_and_can_be_repeated():
    gateway = Gateway(Scripted())
    await gateway.start()
    await gateway.stop()
    await gateway.stop()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", gateway.port), timeout=1)


async def test_stop_does_not_wait_for_a_slow_backend(backend):
    gateway = Gateway(backend)
    async with connect(await gateway.start()) as client:
        task = asyncio.create_task(client.chat.completions.create(model="slow", messages=USER))
        await asyncio.wait_for(backend.running.wait(), 5)
        await asyncio.wait_for(gateway.stop(), 10)
        with pytest.raises(openai.APIConnectionError):
            await task


async def test_a_streaming_backend_is_relayed_as_it_comes():
    async with Gateway(Dripping()) as gateway, connect(gateway.base_url) as client:
        stream = await client.chat.completions.create(model="x", messages=USER, stream=True)
        words = [c.choices[0].delta.content for c in await collect(stream)]
        assert words == ["one ", "two"]
        with pytest.raises(openai.NotFoundError):
            await client.chat.completions.create(model="nothing", messages=USER, stream=True)
        stream = await client.chat.completions.create(model="fails", messages=USER, stream=True)
        assert (await anext(stream)).choices[0].delta.content == "one "
        with pytest.raises(openai.APIError, match="lost it"):
            await anext(stream)


async def test_leaving_a_stream_ends_the_backends_work():
    backend = Dripping()
    async with Gateway(backend) as gateway, connect(gateway.base_url) as client:
        stream = await client.chat.completions.create(model="slow", messages=USER, stream=True)
        assert (await anext(stream)).choices[0].delta.content == "one "
        await stream.close()
        await asyncio.wait_for(backend.cut_off.wait(), 5)


@pytest.fixture
async def passing(gateway: Gateway) -> AsyncIterator[openai.AsyncOpenAI]:
    """A client of a gateway that passes everything on to `gateway`."""
    upstream = Upstream(gateway.base_url)
    async with Gateway(upstream) as front, connect(front.base_url) as client:
        yield client
    await upstream.close()


async def test_upstream_passes_replies_streams_and_models_on(passing, backend):
    reply = await passing.chat.completions.create(model="caller", messages=USER, tools=[TOOL])
    assert reply.choices[0].message.tool_calls[0].model_dump() == CALL
    assert backend.asked[0] == {"model": "caller", "messages": USER, "tools": [TOOL]}
    options = {"include_usage": True}
    stream = await passing.chat.completions.create(
        model="echo", messages=USER, stream=True, stream_options=options
    )
    chunks = await collect(stream)
    assert "".join(c.choices[0].delta.content or "" for c in chunks[:-1]) == USER[0]["content"]
    assert chunks[-1].usage.completion_tokens == 3
    assert [m.id for m in (await passing.models.list()).data] == ["echo", "caller"]


@pytest.mark.parametrize("stream", [False, True])
async def test_upstream_keeps_refusals(passing, stream):
    with pytest.raises(openai.RateLimitError) as caught:
        await passing.chat.completions.create(model="busy", messages=USER, stream=stream)
    assert caught.value.code == "rate_limit_exceeded"
    assert caught.value.response.headers["retry-after"] == "7"
    with pytest.raises(openai.NotFoundError, match="no model 'nobody'"):
        await passing.chat.completions.create(model="nobody", messages=USER, stream=stream)


async def test_an_absent_upstream_is_502(unused_tcp_port):
    upstream = Upstream(f"http://127.0.0.1:{unused_tcp_port}/v1")
    async with Gateway(upstream) as front, connect(front.base_url) as client:
        with pytest.raises(openai.InternalServerError) as caught:
            await client.chat.completions.create(model="echo", messages=USER)
    assert (caught.value.status_code, caught.value.code) == (502, "upstream_unreachable")
    await upstream.close()


async def test_upstream_sends_its_own_key_and_never_shows_it(monkeypatch):
    monkeypatch.setenv("UPSTREAM_KEY", "k-planted-123456")
    backend = Scripted()
    async with Gateway(backend, token="k-planted-123456") as gateway:
        upstream = Upstream(gateway.base_url, "UPSTREAM_KEY")
        async with Gateway(upstream) as front, connect(front.base_url, "mine") as client:
            assert await client.chat.completions.create(model="echo", messages=USER)
            with pytest.raises(openai.NotFoundError) as caught:
                await client.chat.completions.create(model="k-planted-123456", messages=USER)
        await upstream.close()
    assert "k-planted" not in str(caught.value) and "***" in str(caught.value)
    monkeypatch.delenv("UPSTREAM_KEY")
    with pytest.raises(UserError, match="UPSTREAM_KEY"):
        Upstream("http://127.0.0.1:1/v1", "UPSTREAM_KEY")
