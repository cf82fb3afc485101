"""The client against a real server that misbehaves on purpose, and against the gateway."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable
from email.utils import formatdate
from typing import Any

import pytest
from servers import (
    GOOD,
    TOOL,
    USER,
    answer,
    completion,
    refuse,
    reset,
    silence,
)

from harness.errors import ContextOverflow, ModelError, UserError
from harness.gateway import Gateway, GatewayError
from harness.model import Model, ModelSpec, cost
from harness.types import Usage

KEY = "sk-planted-0123456789"


async def failing(model: Model) -> ModelError:
    with pytest.raises(ModelError) as caught:
        await model.complete(USER)
    return caught.value


async def test_a_reply_is_reduced_to_what_goes_back(server, make):
    reply = await make().complete(USER)
    assert reply.message == {"role": "assistant", "content": "hi"}
    assert (reply.usage, reply.model) == (Usage(9, None, 2), "m-1")
    assert (reply.fingerprint, reply.finish_reason) == (None, "stop")
    assert server.bodies == [{"model": "m", "messages": USER}]


async def test_settings_are_sent_only_where_given(server, make):
    model = make(temperature=0.0, max_output=100, headers={"X-Title": "bench"})
    await model.complete(USER, [TOOL], model_name="worker:abc")
    await model.complete(USER, max_tokens=7)
    sent = {"temperature": 0.0, "messages": USER}
    assert server.bodies[0] == {"model": "worker:abc", "max_tokens": 100, "tools": [TOOL], **sent}
    assert server.bodies[1] == {"model": "m", "max_tokens": 7, **sent}
    assert server.headers[0]["X-Title"] == "bench"


async def test_tool_calls_keep_their_raw_arguments(server, make):
    calls = [
        {"id": "a", "type": "function", "function": {"name": "run", "arguments": '{"broken'}},
        {"id": "b", "type": "custom", "custom": {"name": "x", "input": "y"}},
        {"type": "function", "index": 2, "function": {"name": "run", "arguments": {"命令": 1}}},
        {"id": "d", "function": {"name": "run", "arguments": None}},
        "nonsense",
    ]
    message = {"role": "assistant", "content": None, "tool_calls": calls}
    server.script = [answer(200, completion(message))]
    reply = await make().complete(USER, [TOOL])
    assert reply.message["content"] is None
    assert [(c["id"], c["type"], c["function"]) for c in reply.message["tool_calls"]] == [
        ("a", "function", {"name": "run", "arguments": '{"broken'}),
        ("call_1_2", "function", {"name": "run", "arguments": '{"命令": 1}'}),
        ("d", "function", {"name": "run", "arguments": ""}),
    ]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"content": None}, ""),
        ({"content": None, "refusal": "I will not"}, "I will not"),
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "ab"),
        ({"content": "half \ud83d pair"}, "half ? pair"),
        ({"content": "", "tool_calls": 3}, ""),
    ],
)
async def test_odd_contents(server, make, given, kept):
    server.script = [answer(200, completion({"role": "assistant", **given}))]
    assert (await make().complete(USER)).message == {"role": "assistant", "content": kept}


@pytest.mark.parametrize(
    ("given", "usage"),
    [
        (
            {
                "prompt_tokens": 90,
                "completion_tokens": 5,
                "prompt_tokens_details": {"cached_tokens": 64},
            },
            Usage(90, 64, 5),
        ),
        (
            {"prompt_tokens": 90, "prompt_tokens_details": {"cached_tokens": None}},
            Usage(90, None, None),
        ),
        ({"prompt_tokens": "many", "prompt_tokens_details": []}, Usage(None, None, None)),
        (None, Usage(None, None, None)),
    ],
)
async def test_usage_with_cached_input_apart(server, make, given, usage):
    server.script = [answer(200, {**GOOD, "usage": given})]
    assert (await make().complete(USER)).usage == usage


async def test_half_surrogates_in_the_request_are_sent_replaced(server, make):
    await make().complete([{"role": "user", "content": "file \udcff.py 文件"}])
    assert server.bodies[0]["messages"][0]["content"] == "file ?.py 文件"


async def test_connection_refused(make, unused_tcp_port):
    model = make(base_url=f"http://127.0.0.1:{unused_tcp_port}/v1")
    error = await failing(model)
    assert (error.kind, len(model.clock.waits)) == ("unreachable", 4)
    assert "tried 5 times" in str(error)


async def test_a_passing_fault_is_waited_out_and_told(server, make):
    server.script = [refuse(503, "loading"), reset, refuse(429, "slow"), answer(200, GOOD)]
    model, told = make(), []
    reply = await model.complete(USER, on_wait=lambda seconds, kind: told.append((seconds, kind)))
    assert reply.message["content"] == "hi"
    assert [kind for _, kind in told] == ["server", "unreachable", "rate_limit"]
    assert [seconds for seconds, _ in told] == model.clock.waits
    assert model.waited_s == sum(model.clock.waits)


async def test_waits_grow_and_outlast_a_minute_of_503(server, make):
    server.script = [refuse(503, "loading")]
    model = make()
    await failing(model)
    waits = model.clock.waits
    assert len(waits) == 4 and waits == sorted(waits) and sum(waits) > 60


async def test_calls_that_fail_together_do_not_return_together(server, make):
    server.script = [refuse(429, "slow")]
    model = make(retries=1)
    results = await asyncio.gather(
        *(model.complete(USER) for _ in range(16)), return_exceptions=True
    )
    assert all(isinstance(r, ModelError) for r in results)
    assert len(set(model.clock.waits)) > 8


def in_seconds(seconds: float) -> Callable[[], str]:
    """A date that lies `seconds` ahead of the call, not of the collection of the tests."""
    return lambda: formatdate(time.time() + seconds, usegmt=True)


@pytest.mark.parametrize(
    ("headers", "least", "most"),
    [
        ({"Retry_After": "30"}, 30, 38),
        ({"retry_after_ms": "1500"}, 1.5, 2),
        ({"Retry_After": in_seconds(100)}, 90, 126),
        ({"Retry_After": "soon"}, 2, 2.5),
        ({"Retry_After": "0"}, 2, 2.5),
        ({"Retry_After": "-5"}, 2, 2.5),
    ],
)
async def test_retry_after_is_honoured(server, make, headers, least, most):
    made = {name: value() if callable(value) else value for name, value in headers.items()}
    server.script = [refuse(429, "slow", **made), answer(200, GOOD)]
    model = make()
    await model.complete(USER)
    assert len(model.clock.waits) == 1 and least <= model.clock.waits[0] <= most


async def test_a_wait_of_an_hour_is_left_to_the_caller(server, make):
    server.script = [refuse(429, "come back later", Retry_After="3600")]
    model = make()
    error = await failing(model)
    assert (error.retry, error.retry_after, model.clock.waits) == (True, 3600, [])


async def test_no_retries_where_none_are_wanted(server, make):
    server.script = [refuse(500, "boom")]
    await failing(make(retries=0))
    assert len(server.bodies) == 1


OVERFLOWS = [
    (400, "This model's maximum context length is 8192 tokens. However, you requested 9000", None),
    (400, "too long", "context_length_exceeded"),
    (400, "Your input exceeds the context window of this model.", None),
    (400, "Input tokens exceed the configured limit of 272000 tokens.", None),
    (400, "The prompt (total length 9) is too long to fit into the model (context length 4)", None),
    (400, "The decoder prompt (length 9) is longer than the maximum model length of 4.", None),
    (400, "request (9 tokens) exceeds the available context size (4 tokens), try increasing", None),
    (500, "the request exceeds the available context size. try increasing the context size", None),
    (500, "Context size has been exceeded.", None),
    (400, "Requested tokens (9) exceed context window of 4", None),
    (400, "prompt too long; exceeded max context length by 5 tokens", None),
    (400, "input length exceeds the context length", None),
    (400, "The input (9 tokens) is longer than the model's context length (4 tokens).", None),
    (413, "prompt is too long: 213462 tokens > 200000 maximum", None),
    (400, "litellm.ContextWindowExceededError: see model", None),
]


@pytest.mark.parametrize(("status", "message", "code"), OVERFLOWS)
async def test_context_overflow_is_an_outcome_and_not_retried(server, make, status, message, code):
    server.script = [refuse(status, message, code)]
    with pytest.raises(ContextOverflow, match="do not fit"):
        await make().complete(USER)
    assert len(server.bodies) == 1


async def test_overflow_in_other_shapes_of_body(server, make):
    text = "the request exceeds the available context size"
    inner = {"code": 400, "message": text, "type": "exceed_context_size_error", "n_ctx": 4}
    for step in (answer(200, {"error": inner}), answer(400, {"error": text})):
        server.script = [step]
        with pytest.raises(ContextOverflow):
            await make().complete(USER)


@pytest.mark.parametrize(
    "message",
    [
        "max_tokens exceeds the limit",
        "unknown parameter: context",
        "Rate limit reached: tokens per min. Limit: 10000, maximum context length unaffected",
    ],
)
async def test_other_refusals_are_no_overflow(server, make, message):
    status = 429 if "Rate" in message else 400
    server.script = [refuse(status, message)]
    assert (await failing(make(retries=0))).kind in ("bad_request", "rate_limit")


async def test_the_key_comes_from_its_variable_and_is_never_shown(server, make, monkeypatch):
    monkeypatch.setenv("BENCH_KEY", f" {KEY}\n")
    monkeypatch.setenv("BENCH_AUTH", "another-secret")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-someone-else")
    model = make(key_env="BENCH_KEY", headers_env={"X-Auth": "BENCH_AUTH"})
    for step in (
        refuse(401, f"Incorrect API key provided: {KEY}, another-secret"),
        answer(200, {"error": f"Bearer {KEY}"}),
        answer(200, f"<html>{KEY}</html>", Content_Type="text/html"),
    ):
        server.script = [step]
        error = await failing(model)
        seen = f"{error!r} {error.__cause__!r} {error.__context__!r} {model!r} {model.spec!r}"
        assert KEY not in seen and "***" in seen
        assert error.kind != "auth" or ("BENCH_KEY" in str(error) and "another" not in str(error))
    assert {h["Authorization"] for h in server.headers} == {f"Bearer {KEY}"}
    assert {h["X-Auth"] for h in server.headers} == {"another-secret"}


async def test_no_other_key_or_account_leaks_to_an_endpoint(server, make, monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_ADMIN_KEY"):
        monkeypatch.setenv(name, "planted-elsewhere")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    await make().complete(USER)
    assert "planted-elsewhere" not in str(server.headers[0].items())


@pytest.mark.parametrize("value", [None, "", "  ", "sk-ключ-0123", "sk-a\nb-secret"])
def test_a_missing_or_unusable_key_is_one_line(monkeypatch, value):
    monkeypatch.delenv("BENCH_KEY", raising=False)
    if value is not None:
        monkeypatch.setenv("BENCH_KEY", value)
    with pytest.raises(UserError, match="BENCH_KEY") as caught:
        Model(ModelSpec("m", "https://api.example.org/v1", key_env="BENCH_KEY"))
    assert "sk-" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["", "localhost:8000", "ftp://host/v1", "http://", "http://h:port/v1", "http://u:pw@h:x"]
)
def test_a_bad_address_is_a_users_mistake(url):
    with pytest.raises(UserError, match="base_url") as caught:
        Model(ModelSpec("m", url))
    assert "pw" not in str(caught.value)


def test_a_header_that_cannot_be_sent_is_a_users_mistake():
    with pytest.raises(UserError, match="X-Who"):
        Model(ModelSpec("m", "http://127.0.0.1/v1", headers={"X-Who": "谁"}))


async def test_cancelling_ends_the_call_at_once(server, make):
    server.script = [silence]
    task = asyncio.create_task(make().complete(USER))
    while not server.bodies:
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, 5)


async def test_a_closed_model_connects_again(make):
    model = make()
    await model.close()
    await model.complete(USER)
    await model.close()
    assert (await model.complete(USER)).message["content"] == "hi"


class Worker:
    """A small backend: calls a tool first, then says what it returned."""

    async def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        if not request["model"].startswith("worker:"):
            raise GatewayError(404, "model_not_found", f"no model {request['model']!r}")
        last = request["messages"][-1]
        message: dict[str, Any] = {"role": "assistant", "content": last["content"]}
        if last["role"] == "user":
            function = {"name": "run", "arguments": json.dumps({"command": last["content"]})}
            call = {"id": f"call_{last['content']}", "type": "function", "function": function}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
        return completion(message, system_fingerprint="simulated", usage={"prompt_tokens": 1})


async def test_64_tool_conversations_at_once_through_the_gateway():
    async def talk(model: Model, n: int) -> str:
        messages = [{"role": "user", "content": str(n)}]
        first = await model.complete(messages, [TOOL], model_name=f"worker:{n}")
        call = first.message["tool_calls"][0]
        assert json.loads(call["function"]["arguments"]) == {"command": str(n)}
        result = {"role": "tool", "tool_call_id": call["id"], "content": f"结果 {n}"}
        second = await model.complete([*messages, first.message, result], model_name=f"worker:{n}")
        assert second.fingerprint == "simulated"
        return second.message["content"]

    async with Gateway(Worker()) as gateway:
        model = Model(ModelSpec("worker", gateway.base_url))
        assert await asyncio.gather(*(talk(model, n) for n in range(64))) == [
            f"结果 {n}" for n in range(64)
        ]
        with pytest.raises(ModelError, match="no model 'worker'") as caught:
            await model.complete(USER)
        assert caught.value.kind == "not_found"
        await model.close()


PRICES = {"input": 2.0, "cached": 0.5, "output": 8.0}


@pytest.mark.parametrize(
    ("usage", "prices", "cached", "dollars"),
    [
        (Usage(1_000_000, 400_000, 100_000), PRICES, True, 1.2 + 0.2 + 0.8),
        (Usage(1_000_000, 400_000, 100_000), PRICES, False, 2.0 + 0.8),
        (Usage(1_000_000, 0, 0), {"input": 2.0, "output": 8.0}, True, 2.0),
        (Usage(10, 5, 0), {"input": 2.0, "output": 8.0}, True, None),
        (Usage(10, 5, 0), {"input": 2.0, "cached": None, "output": 8.0}, False, 2e-5),
        (Usage(10, 0, 0), {"input": 2.0}, True, None),
        (Usage(10, 0, 0), None, True, None),
        (Usage(10, 4, 5), {"input": 0.0, "cached": 0.0, "output": 0.0}, True, 0.0),
        (Usage(None, None, None), PRICES, False, None),
        (Usage(1_000_000, None, 100_000), PRICES, True, None),
        (Usage(1_000_000, None, 100_000), PRICES, False, 2.0 + 0.8),
    ],
)
def test_cost(usage, prices, cached, dollars):
    assert cost(usage, prices, cached) == (None if dollars is None else pytest.approx(dollars))


def test_importing_the_model_does_not_load_the_client():
    code = "import sys, harness.model, harness.gateway; print('openai' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
