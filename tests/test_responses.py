"""The responses API and reasoning models: what goes out, what comes back, what is handed on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from servers import TOOL, USER, answer, completion, refuse

from harness.errors import ContextOverflow, ModelError
from harness.gateway import Gateway
from harness.model import Model, ModelSpec

THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA="}


def call(name: str, arguments: str = "{}") -> dict[str, Any]:
    return {"type": "function_call", "call_id": name, "name": "run", "arguments": arguments}


def said(text: str, kind: str = "text") -> dict[str, Any]:
    return {
        "type": "message",
        "role": "assistant",
        "content": [{"type": f"output_{kind}", kind: text}],
    }


def response(*output: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "id": "resp_1",
        "object": "response",
        "status": "completed",
        "model": "m-1",
        "output": list(output),
        "usage": {
            "input_tokens": 90,
            "input_tokens_details": {"cached_tokens": 64},
            "output_tokens": 20,
            "output_tokens_details": {"reasoning_tokens": 15},
        },
        **more,
    }


async def test_what_is_asked(server, make):
    server.script = [answer(200, response(said("hi")))]
    model = make(api="responses", temperature=None, max_output=99, effort="low", tool_choice="run")
    history = [
        {"role": "system", "content": "规则"},
        *USER,
        {
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "run", "arguments": "{}"}}
            ],
        },
        {"role": "tool", "tool_call_id": "a", "content": "out"},
    ]
    await model.complete(history, [TOOL])
    assert server.paths == ["/v1/responses"]
    assert server.bodies[0] == {
        "model": "m",
        "input": [
            {"role": "system", "content": "规则"},
            {"role": "user", "content": "hello"},
            {"role": "assistant", "content": "I look."},
            {"type": "function_call", "call_id": "a", "name": "run", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "a", "output": "out"},
        ],
        "store": False,
        "include": ["reasoning.encrypted_content"],
        "tools": [
            {
                "type": "function",
                "strict": False,
                "name": "run",
                "parameters": {"type": "object"},
            }
        ],
        "tool_choice": {"type": "function", "name": "run"},
        "reasoning": {"effort": "low"},
        "max_output_tokens": 99,
    }


async def test_what_comes_back(server, make):
    server.script = [answer(200, response(THOUGHT, said("I look."), call("a"), call("b", "{x")))]
    reply = await make(api="responses").complete(USER, [TOOL])
    assert reply.message["content"] == "I look."
    assert [(c["id"], c["function"]["arguments"]) for c in reply.message["tool_calls"]] == [
        ("a", "{}"),
        ("b", "{x"),
    ]
    assert (reply.model, reply.finish_reason) == ("m-1", "tool_calls")
    used = reply.usage
    assert (used.input, used.cached, used.output, used.reasoning) == (90, 64, 20, 15)


async def test_reasoning_goes_back_where_it_came_and_only_to_its_model(server, make):
    second = {**THOUGHT, "id": "rs_2", "status": None}
    server.script = [answer(200, response(THOUGHT, call("a"), second, call("b")))]
    model = make(api="responses")
    reply = await model.complete(USER, [TOOL])
    results = [{"role": "tool", "tool_call_id": name, "content": "x"} for name in "ab"]
    await model.complete([*USER, reply.message, *results], [TOOL])
    sent = [(item.get("id") or item.get("call_id")) for item in server.bodies[1]["input"]]
    assert sent == [None, "rs_1", "a", "rs_2", "b", "a", "b"]
    assert server.bodies[1]["input"][1] == THOUGHT
    await model.complete([*USER, reply.message, *results], [TOOL], model_name="another")
    assert not [item for item in server.bodies[2]["input"] if item.get("type") == "reasoning"]


async def test_reasoning_is_left_out_without_what_it_led_to_or_where_it_cannot_be_read(
    server, make
):
    bare = {"type": "reasoning", "id": "rs_0", "summary": []}
    server.script = [answer(200, response(bare, call("a"), THOUGHT, call("b")))]
    model = make(api="responses")
    message = (await model.complete(USER, [TOOL])).message
    shortened = {**message, "tool_calls": message["tool_calls"][:1]}
    await model.complete([*USER, shortened], [TOOL])
    assert [i.get("type") for i in server.bodies[1]["input"]] == [None, "function_call"]


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning_details", "thinking_blocks"])
async def test_reasoning_of_chat_completions_goes_back_under_its_name(server, make, field):
    message = {"role": "assistant", "content": "hi", field: [{"text": "hm", "signature": "s"}]}
    server.script = [answer(200, completion(message))]
    model = make()
    reply = await model.complete(USER)
    await model.complete([*USER, reply.message, *USER])
    assert server.bodies[1]["messages"][1] == message
    await model.complete([*USER, reply.message, *USER], model_name="another")
    assert server.bodies[2]["messages"][1] == {"role": "assistant", "content": "hi"}


async def test_hidden_tokens_of_chat_completions_are_counted_apart(server, make):
    usage = {
        "prompt_tokens": 9,
        "completion_tokens": 30,
        "completion_tokens_details": {"reasoning_tokens": 25},
    }
    server.script = [answer(200, completion({"content": "hi"}, usage=usage))]
    used = (await make(effort="high").complete(USER)).usage
    assert (used.output, used.reasoning) == (30, 25)
    assert server.bodies[0]["reasoning_effort"] == "high" and "temperature" not in server.bodies[0]


@pytest.mark.parametrize(
    ("body", "reason", "text"),
    [
        (response(said("I will not", "refusal")), "refusal", "I will not"),
        (response(), "empty", ""),
        (response(said(" ")), "empty", " "),
        (
            response(
                said("half"),
                status="incomplete",
                incomplete_details={"reason": "max_output_tokens"},
            ),
            "length",
            "half",
        ),
        (
            response(status="incomplete", incomplete_details={"reason": "content_filter"}),
            "content_filter",
            "",
        ),
    ],
)
async def test_odd_ends_of_responses(server, make, body, reason, text):
    server.script = [answer(200, body)]
    reply = await make(api="responses").complete(USER)
    assert (reply.finish_reason, reply.message["content"]) == (reason, text)


@pytest.mark.parametrize("api", ["chat", "responses"])
async def test_a_filtered_request_is_an_outcome_of_both_apis(server, make, api):
    server.script = [refuse(400, "The response was filtered", "content_filter")]
    reply = await make(api=api).complete(USER, [TOOL])
    assert (reply.finish_reason, reply.message["content"]) == ("content_filter", "")
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    ("given", "finish", "reason"),
    [
        ({"content": None, "refusal": "No."}, "stop", "refusal"),
        ({"content": None}, "stop", "empty"),
        ({"content": "\n"}, None, "empty"),
        ({"content": None}, "length", "length"),
        ({"content": "half"}, "content_filter", "content_filter"),
        ({"content": "hi"}, "stop", "stop"),
    ],
)
async def test_odd_ends_of_chat_completions(server, make, given, finish, reason):
    body = completion(given)
    body["choices"][0]["finish_reason"] = finish
    server.script = [answer(200, body)]
    assert (await make().complete(USER)).finish_reason == reason


@pytest.mark.parametrize(
    ("body", "kind", "tries"),
    [
        ({"status": "completed"}, "bad_reply", 3),
        ([], "bad_reply", 3),
        (response(status="failed", error={"code": "server_error", "message": "x"}), "server", 5),
        (
            response(status="failed", error={"code": "rate_limit_exceeded", "message": "x"}),
            "rate_limit",
            5,
        ),
    ],
)
async def test_failed_responses(server, make, body, kind, tries):
    server.script = [answer(200, body)]
    with pytest.raises(ModelError) as caught:
        await make(api="responses").complete(USER)
    assert (caught.value.kind, len(server.bodies)) == (kind, tries)


async def test_a_known_window_is_kept_before_anything_is_sent(server, make):
    history = [{"role": "user", "content": "word " * 300}]
    with pytest.raises(ContextOverflow, match=r"model.window is 310"):
        await make(window=310).complete(history, max_tokens=20)
    assert server.bodies == []
    await make(window=310).complete(history)
    assert len(server.bodies) == 1


ODD = [None, 3, "x", [], {}, [[]], [{}], [None], {"a": [1]}, True]


@pytest.mark.parametrize("odd", ODD, ids=repr)
async def test_fields_of_any_type_make_a_reply_or_a_model_error(server, make, odd):
    """Whatever a server puts where, the agent gets usable types, or the trial an error."""
    made = {"id": "a", "type": "function", "function": {"name": "run", "arguments": "{}"}}
    message = {"role": "assistant", "content": "hi", "reasoning": "hm", "tool_calls": [made]}
    chat = completion(message, usage={"prompt_tokens": 1}, system_fingerprint="f")
    bodies = [("chat", body) for body in spoiled(chat, odd)]
    whole = response(THOUGHT, said("hi"), call("a"), status="incomplete", incomplete_details={})
    bodies += [("responses", body) for body in spoiled(whole, odd)]
    models = {api: make(api=api, retries=0) for api in ("chat", "responses")}
    for api, body in bodies:
        server.script = [answer(200, body)]
        model = models[api]
        try:
            reply = await model.complete(USER, [TOOL])
        except ModelError:
            continue
        assert isinstance(reply.model, str) and isinstance(reply.message["content"], str | None)
        assert isinstance(reply.fingerprint, str | None)
        assert isinstance(reply.finish_reason, str | None)
        assert all(isinstance(c["id"], str) for c in reply.message.get("tool_calls", []))
        server.script = [answer(200, body)]
        await model.complete([*USER, reply.message, *USER], [TOOL])  # and it can be sent back


def spoiled(value: Any, odd: Any) -> Iterator[Any]:
    """Copies of a JSON value, each with another one of its parts replaced."""
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in parts:
        for inner in [odd, *(spoiled(part, odd) if isinstance(part, dict | list) else [])]:
            copied = value.copy()
            copied[key] = inner
            yield copied


class Echo:
    """Says what it was sent last, through a call first."""

    async def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        last = request["messages"][-1]
        if last["role"] != "user":
            return completion({"role": "assistant", "content": f"got {last['content']}"})
        function = {"name": "run", "arguments": '{"command": "ls 目录"}'}
        calls = [{"id": "c1", "type": "function", "function": function}]
        return completion({"role": "assistant", "content": None, "tool_calls": calls})


@pytest.mark.parametrize("api", ["chat", "responses"])
async def test_a_tool_conversation_through_the_gateway_in_both_apis(api):
    async with Gateway(Echo()) as gateway:
        model = Model(ModelSpec("m", gateway.base_url, api=api))
        first = await model.complete(USER, [TOOL])
        (made,) = first.message["tool_calls"]
        assert made["function"]["arguments"] == '{"command": "ls 目录"}'
        result = {"role": "tool", "tool_call_id": made["id"], "content": "结果"}
        second = await model.complete([*USER, first.message, result], [TOOL])
        assert second.message["content"] == "got 结果"
        await model.close()
