"""The presets of configs/model against servers that answer as these products document it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from aiohttp import web
from servers import TOOL, USER, Server, answer, completion

from harness.build import model_spec
from harness.config import load_config
from harness.errors import ContextOverflow, ModelError
from harness.model import Model, cost
from harness.types import Usage

KEYS = {
    "openai": "OPENAI_API_KEY",
    "openrouter": "OPENROUTER_API_KEY",
    "litellm": "LITELLM_API_KEY",
}
PRESETS = (*KEYS, "vllm", "ollama", "llamacpp")
KEY = "sk-planted-for-presets"


@pytest.fixture
async def preset(server: Server, make: Callable[..., Model], monkeypatch: Any) -> Any:
    """A model as `model=NAME` makes it, at the address of the test's server."""

    def of(name: str) -> Model:
        if variable := KEYS.get(name):
            monkeypatch.setenv(variable, KEY)
        named = [] if name == "llamacpp" else ["model.name=m"]
        config, _ = load_config([f"model={name}", f"model.base_url={server.base_url}", *named])
        return make(**vars(model_spec(config.model, server.base_url)))

    return of


def call(arguments: Any = '{"command": "ls"}', **more: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": "run", "arguments": arguments}, **more}


def ends(reason: str, message: dict[str, Any], **more: Any) -> dict[str, Any]:
    body = completion({"role": "assistant", **message}, **more)
    body["choices"][0]["finish_reason"] = reason
    return body


OPENAI = {
    "id": "resp_1",
    "object": "response",
    "status": "completed",
    "model": "m-2026",
    "output": [
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA="},
        {
            "type": "function_call",
            "id": "fc_1",
            "call_id": "call_9",
            "name": "run",
            "arguments": '{"command": "ls"}',
            "status": "completed",
        },
    ],
    "usage": {
        "input_tokens": 40,
        "input_tokens_details": {"cached_tokens": 8},
        "output_tokens": 9,
        "output_tokens_details": {"reasoning_tokens": 4},
        "total_tokens": 49,
    },
}
DETAILS = [{"type": "reasoning.encrypted", "data": "gAAA=", "format": "x", "index": 0}]
OPENROUTER = ends(
    "tool_calls",
    {
        "content": "",
        "refusal": None,
        "reasoning": "I look first.",
        "reasoning_details": DETAILS,
        "tool_calls": [call(id="tool_0_run", index=0)],
    },
    provider="Some Provider",
    usage={
        "prompt_tokens": 40,
        "completion_tokens": 9,
        "total_tokens": 49,
        "cost": 0.0123,
        "cost_details": {"upstream_inference_cost": None},
        "prompt_tokens_details": {"cached_tokens": 8, "audio_tokens": 0},
        "completion_tokens_details": {"reasoning_tokens": 4},
    },
)
VLLM = ends(
    "tool_calls",
    {
        "content": None,
        "refusal": None,
        "annotations": None,
        "audio": None,
        "function_call": None,
        "reasoning_content": "I look first.",
        "tool_calls": [call(id="chatcmpl-tool-0c9f4f1d7e6a4b5c9d8e")],
    },
    prompt_logprobs=None,
    kv_transfer_params=None,
    usage={"prompt_tokens": 40, "completion_tokens": 9, "prompt_tokens_details": None},
)
OLLAMA = ends(
    "stop",
    {
        "content": "",
        "reasoning": "I look first.",
        "tool_calls": [call(index=0), call(id="", index=1)],
    },
    system_fingerprint="fp_ollama",
    usage={"prompt_tokens": 40, "completion_tokens": 9, "total_tokens": 49},
)
LLAMACPP = ends(
    "tool_calls",
    {
        "content": None,
        "reasoning_content": "I look first.",
        "tool_calls": [call(id="aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW")],
    },
    system_fingerprint="b9999-abcdef",
    timings={"prompt_n": 40, "predicted_n": 9, "cache_n": 8},
    usage={
        "prompt_tokens": 40,
        "completion_tokens": 9,
        "prompt_tokens_details": {"cached_tokens": 8},
    },
)
LITELLM = ends(
    "tool_calls",
    {
        "content": None,
        "function_call": None,
        "reasoning_content": "I look first.",
        "thinking_blocks": [{"type": "thinking", "thinking": "I look first.", "signature": "s"}],
        "provider_specific_fields": None,
        "tool_calls": [call(id="call_7", index=0)],
    },
    usage={
        "prompt_tokens": 40,
        "completion_tokens": 9,
        "total_tokens": 49,
        "prompt_tokens_details": {"cached_tokens": 8, "text_tokens": None},
        "completion_tokens_details": None,
        "cache_creation_input_tokens": 0,
    },
)
DOCUMENTED: dict[str, tuple[dict[str, Any], list[str], Usage, Any]] = {
    "openai": (OPENAI, ["call_9"], Usage(40, 8, 9, 4), None),
    "openrouter": (OPENROUTER, ["tool_0_run"], Usage(40, 8, 9, 4), ("reasoning_details", DETAILS)),
    "vllm": (
        VLLM,
        ["chatcmpl-tool-0c9f4f1d7e6a4b5c9d8e"],
        Usage(40, None, 9, None),
        ("reasoning_content", "I look first."),
    ),
    "ollama": (
        OLLAMA,
        ["call_1_0", "call_1_1"],
        Usage(40, None, 9, None),
        ("reasoning", "I look first."),
    ),
    "llamacpp": (
        LLAMACPP,
        ["aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW"],
        Usage(40, 8, 9, None),
        ("reasoning_content", "I look first."),
    ),
    "litellm": (
        LITELLM,
        ["call_7"],
        Usage(40, 8, 9, None),
        ("thinking_blocks", LITELLM["choices"][0]["message"]["thinking_blocks"]),
    ),
}
"""Preset: a documented body, ids of its calls in the history, its usage, and the reasoning that
goes back."""


@pytest.mark.parametrize("name", PRESETS)
async def test_a_tool_call_as_documented_and_the_way_back(name, preset, server):
    body, ids, usage, kept = DOCUMENTED[name]
    header = {"x_litellm_response_cost": "0.0123"} if name == "litellm" else {}
    server.script = [answer(200, body, **header)]
    model = preset(name)
    reply = await model.complete(USER, [TOOL])
    calls = reply.message["tool_calls"]
    assert [c["id"] for c in calls] == ids and reply.usage == usage
    assert {c["function"]["arguments"] for c in calls} == {'{"command": "ls"}'}
    assert cost(reply.usage, model.spec.prices) is None  # only our own prices make a cost
    results = [{"role": "tool", "tool_call_id": i, "content": "a.py 文件"} for i in ids]
    await model.complete([*USER, reply.message, *results], [TOOL])
    sent = server.bodies[1]
    assert server.headers[0].get("Authorization") == f"Bearer {KEY if name in KEYS else 'none'}"
    if name == "openai":
        kinds = [item.get("type") for item in sent["input"]]
        assert kinds == [None, "reasoning", "function_call", "function_call_output"]
        assert sent["store"] is False and "temperature" not in sent
        return
    said = sent["messages"][1]
    field, value = kept
    assert said[field] == value and said["tool_calls"] == calls and said["content"] == ""
    assert [m["tool_call_id"] for m in sent["messages"][2:]] == ids
    assert ("temperature" in sent) is (name not in KEYS)


def error(code: Any, message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, **more}}


IN_CHOICE = {"code": 502, "message": "Provider returned error", "metadata": {"provider": "x"}}
FLAGGED = {"reasons": ["violence"], "flagged_input": "...", "provider_name": "x"}
LOADING = error(503, "Loading model", type="unavailable_error")
NO_ROOM = error(
    400, "the request exceeds the available context size", type="exceed_context_size_error", n_ctx=4
)


@pytest.mark.parametrize(
    ("name", "status", "body", "kind", "tries"),
    [
        ("openrouter", 200, error(502, "Provider returned error"), "server", 5),
        ("openrouter", 200, error(429, "rate-limited upstream"), "rate_limit", 5),
        ("openrouter", 402, error(402, "Insufficient credits"), "auth", 1),
        ("vllm", 404, error(404, "no model `m`", type="NotFoundError"), "not_found", 1),
        (
            "vllm",
            400,
            {"object": "error", "message": '"auto" tool choice requires ...', "code": 400},
            "bad_request",
            1,
        ),
        ("ollama", 404, error(None, 'model "m" not found, try pulling it first'), "not_found", 1),
        ("ollama", 400, error(None, "registry/m does not support tools"), "bad_request", 1),
        ("llamacpp", 503, LOADING, "server", 5),
        ("llamacpp", 401, error(401, "Invalid API Key", type="authentication_error"), "auth", 1),
        ("litellm", 429, error("429", "litellm.RateLimitError: x", type=None), "rate_limit", 5),
        ("litellm", 400, error("400", "no more", type="budget_exceeded"), "bad_request", 1),
    ],
)
async def test_refusals_as_documented(name, status, body, kind, tries, preset, server):
    server.script = [answer(status, body)]
    with pytest.raises(ModelError) as caught:
        await preset(name).complete(USER, [TOOL])
    assert (caught.value.kind, len(server.bodies)) == (kind, tries)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("partial", ["", "Half a sen"])
@pytest.mark.parametrize("given", [{"error": IN_CHOICE}, {}])
async def test_an_answer_that_broke_off_at_the_provider_is_no_answer(
    partial, given, preset, server
):
    body = ends("error", {"content": partial, "refusal": None})
    body["choices"][0] |= {"native_finish_reason": "error", **given}
    server.script = [
        answer(200, body),
        answer(200, body),
        answer(200, ends("stop", {"content": "hi"})),
    ]
    model = preset("openrouter")
    reply = await model.complete(USER)
    assert reply.message["content"] == "hi" and len(model.clock.waits) == 2


@pytest.mark.parametrize(
    ("name", "status", "body"),
    [
        ("openrouter", 403, error(403, "The model requires moderation", metadata=FLAGGED)),
        (
            "litellm",
            400,
            error(
                "400", "litellm.ContentPolicyViolationError: AzureException - filtered", type=None
            ),
        ),
    ],
)
async def test_what_a_filter_refuses_is_an_outcome(name, status, body, preset, server):
    server.script = [answer(status, body)]
    reply = await preset(name).complete(USER)
    assert reply.finish_reason == "content_filter" and len(server.bodies) == 1


@pytest.mark.parametrize(
    ("name", "status", "body"),
    [
        ("vllm", 400, error(400, "This model's maximum context length is 4 tokens.")),
        ("llamacpp", 400, NO_ROOM),
        ("llamacpp", 200, NO_ROOM),
        ("litellm", 400, error("400", "litellm.ContextWindowExceededError: too long", type=None)),
        ("openrouter", 400, error(400, "This endpoint's maximum context length is 4 tokens.")),
    ],
)
async def test_what_does_not_fit_is_an_outcome(name, status, body, preset, server):
    server.script = [answer(status, body)]
    with pytest.raises(ContextOverflow):
        await preset(name).complete(USER)
    assert len(server.bodies) == 1


async def test_ollama_is_not_asked_what_it_would_cut_silently(preset, server):
    with pytest.raises(ContextOverflow, match=r"model\.window is 4096"):
        await preset("ollama").complete([{"role": "user", "content": "long 很长 " * 4000}])
    assert not server.bodies


async def test_money_that_is_held_back_for_a_while_is_waited_for(preset, server):
    held = error(402, "Too much in flight", metadata={"limit_source": "in_flight"})
    good = answer(200, ends("stop", {"content": "hi"}))
    server.script = [answer(402, held, Retry_After="3"), good]
    model = preset("openrouter")
    assert (await model.complete(USER)).message["content"] == "hi"
    assert 3 <= model.clock.waits[0] < 4


async def test_a_line_kept_open_with_blanks_is_read_to_its_end(preset, server):
    async def slowly(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        await response.prepare(request)
        for part in (b"\n         \n", b"   \n", json.dumps(OPENROUTER).encode("utf-8")):
            await response.write(part)
        return response

    server.script = [slowly]
    reply = await preset("openrouter").complete(USER, [TOOL])
    assert reply.finish_reason == "tool_calls"


async def test_a_server_that_still_loads_its_model_is_waited_for(preset, server):
    server.script = [*[answer(503, LOADING)] * 3, answer(200, LLAMACPP)]
    model = preset("llamacpp")
    assert (await model.complete(USER, [TOOL])).usage.input == 40
    assert sum(model.clock.waits) > 20
