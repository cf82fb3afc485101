"""The Responses API of the gateway: translation both ways, and the contract with the client."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import openai
import pytest
from aiohttp import web

from harness.gateway import Gateway, GatewayError
from harness.gateway.answers import ResponseEvents, response_of
from harness.gateway.items import Tool, grouped, items_of
from harness.gateway.responses import chat_request
from harness.gateway.sessions import Sessions
from harness.gateway.upstream import Upstream
from tests.test_gateway import CALL, Dripping, Scripted, collect, connect, send
from tests.test_gateway_sessions import settings_of

PATCH = "*** Begin Patch\n*** Update File: src/订单.py\n*** End Patch"
READ = {"type": "function", "name": "read_file", "parameters": {"type": "object"}}
FREE = {
    "type": "custom",
    "name": "apply_patch",
    "description": "Change files.",
    "format": {"type": "grammar", "syntax": "lark", "definition": "start: patch"},
}
SPACE = {"type": "namespace", "name": "agents", "tools": [{**READ, "name": "spawn"}]}
TOOLS = [READ, FREE, SPACE, {"type": "web_search"}]
NAMED = {
    "read_file": Tool("function", "read_file"),
    "apply_patch": Tool("custom", "apply_patch"),
    "agents__spawn": Tool("function", "spawn", "agents"),
}
SAID = {"type": "output_text", "text": "Looking."}
ITEMS: list[dict[str, Any]] = [
    {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "Rules."}]},
    {
        "type": "message",
        "role": "user",
        "content": [
            {"type": "input_text", "text": "改名"},
            {"type": "input_image", "image_url": "data:image/png;base64,AA", "detail": "low"},
            {"type": "input_file", "filename": "a.pdf", "file_data": "data:,x"},
        ],
    },
    {"type": "message", "role": "assistant", "content": [SAID]},
    {"type": "function_call", "call_id": "c1", "name": "read_file", "arguments": '{"path": "a"}'},
    {"type": "custom_tool_call", "call_id": "c2", "name": "apply_patch", "input": PATCH},
    {
        "type": "function_call",
        "call_id": "c3",
        "name": "spawn",
        "namespace": "agents",
        "arguments": "{}",
    },
    {"type": "function_call_output", "call_id": "c1", "output": ""},
    {"type": "custom_tool_call_output", "call_id": "c2", "output": "Done."},
    {
        "type": "function_call_output",
        "call_id": "c3",
        "output": [
            {"type": "input_text", "text": "see"},
            {"type": "input_image", "image_url": "data:,y"},
        ],
    },
    {"type": "message", "role": "assistant", "content": [{**SAID, "text": "Finished."}]},
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Thanks."}]},
]


def messages_of(items: Any, named: Any = NAMED) -> list[dict[str, Any]]:
    return [group.message for group in grouped(items, named)]


def test_items_become_messages_and_the_same_items_again():
    messages = messages_of(ITEMS)
    assert [m["role"] for m in messages] == [
        *("developer", "user", "assistant", "tool", "tool", "tool", "assistant", "user")
    ]
    assert messages[2]["content"] == "Looking."
    calls = [call["function"] for call in messages[2]["tool_calls"]]
    assert [c["name"] for c in calls] == ["read_file", "apply_patch", "agents__spawn"]
    assert json.loads(calls[1]["arguments"]) == {"input": PATCH}
    assert messages[1]["content"][1]["image_url"] == {
        "url": "data:image/png;base64,AA",
        "detail": "low",
    }
    assert messages[3] == {"role": "tool", "tool_call_id": "c1", "content": ""}
    assert items_of(messages, NAMED) == ITEMS


@pytest.mark.parametrize("seed", range(30))
def test_any_chat_comes_back_from_its_items(seed):
    draw = random.Random(seed)
    words = ["改名", "order", "\n\n", '{"a": 1}', "*** End Patch", " ", "\ud83d"]
    messages: list[dict[str, Any]] = []
    for turn in range(12):
        text = "".join(draw.choices(words, k=3))
        messages.append({"role": draw.choice(["user", "system", "developer"]), "content": text})
        calls = []
        for n in range(draw.randrange(3)):
            name = draw.choice(list(NAMED))
            free = {"input": text} if NAMED[name].kind == "custom" else {"path": text}
            arguments = json.dumps(free, ensure_ascii=False)
            function = {"name": name, "arguments": arguments}
            calls.append({"id": f"c{turn}-{n}", "type": "function", "function": function})
        said: dict[str, Any] = {"role": "assistant", "content": draw.choice([text, "", None])}
        if calls:
            messages.append({**said, "content": said["content"] or None, "tool_calls": calls})
            messages += [
                {"role": "tool", "tool_call_id": c["id"], "content": draw.choice([text, ""])}
                for c in calls
            ]
        elif said["content"]:
            messages.append(said)
    assert messages_of(items_of(messages, NAMED)) == messages


def test_results_stand_behind_their_calls_whatever_the_order():
    call = {"type": "function_call", "name": "read_file", "arguments": "{}"}
    result = {"type": "function_call_output", "output": "x"}
    told = {"role": "user", "content": "wait"}
    items = [
        {**call, "call_id": "a"},
        {**call, "call_id": "b"},
        told,
        {**result, "call_id": "b"},
        {**result, "call_id": "a"},
    ]
    messages = messages_of(items)
    assert [m["role"] for m in messages] == ["assistant", "tool", "tool", "user"]
    assert [call["id"] for call in messages[0]["tool_calls"]] == ["a", "b"]


def test_a_request_becomes_a_chat():
    body = {
        "model": "m",
        "instructions": "Be brief.",
        "input": ITEMS,
        "tools": TOOLS,
        "tool_choice": {"type": "custom", "name": "apply_patch"},
        "parallel_tool_calls": True,
        "max_output_tokens": 99,
        "reasoning": {"effort": "low", "summary": "auto"},
        "include": ["reasoning.encrypted_content"],
        "store": False,
        "stream": True,
        "prompt_cache_key": "k",
        "text": {"format": {"type": "json_schema", "name": "n", "schema": {}, "strict": True}},
    }
    chat, named = chat_request(body)
    assert named == NAMED
    assert chat["messages"][0] == {"role": "system", "content": "Be brief.\n\nRules."}
    assert [t["function"]["name"] for t in chat["tools"]] == list(NAMED)
    assert "lark grammar" in json.dumps(chat["tools"][1]) and "start: patch" in str(chat["tools"])
    del chat["messages"], chat["tools"]
    assert chat == {
        "model": "m",
        "tool_choice": {"type": "function", "function": {"name": "apply_patch"}},
        "parallel_tool_calls": True,
        "max_tokens": 99,
        "reasoning_effort": "low",
        "stream": True,
        "stream_options": {"include_usage": True},
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "n", "schema": {}, "strict": True},
        },
    }


def call_of(name: str, arguments: str, call_id: str = "c1") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def completion(message: dict[str, Any], reason: str = "stop") -> dict[str, Any]:
    usage = {
        "prompt_tokens": 20,
        "completion_tokens": 7,
        "total_tokens": 27,
        "prompt_tokens_details": {"cached_tokens": 5},
        "completion_tokens_details": {"reasoning_tokens": 3},
    }
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": reason}
    return {"id": "x", "object": "c", "created": 9, "model": "m2", "choices": [choice]} | {
        "usage": usage
    }


def test_a_reply_becomes_a_response():
    calls = [
        call_of("apply_patch", json.dumps({"input": PATCH}), "c1"),
        call_of("agents__spawn", "{}", "c2"),
        call_of("apply_patch", PATCH, "c3"),  # a model that leaves the JSON out
    ]
    message = {"content": "So.", "reasoning_content": "Hm.", "tool_calls": calls}
    response = response_of(completion(message, "tool_calls"), {"model": "m"}, NAMED)
    thought, said, first, second, third = response["output"]
    assert thought["content"] == [{"type": "reasoning_text", "text": "Hm."}]
    assert said["content"][0]["text"] == "So."
    assert (first["type"], first["input"]) == ("custom_tool_call", PATCH)
    assert (second["name"], second["namespace"], second["arguments"]) == ("spawn", "agents", "{}")
    assert third["input"] == PATCH
    assert response["status"] == "completed" and response["model"] == "m2"
    assert response["usage"]["input_tokens_details"] == {"cached_tokens": 5}
    assert response["usage"]["output_tokens_details"] == {"reasoning_tokens": 3}
    assert len({item["id"] for item in response["output"]}) == 5
    # What comes back as the next request's input is what the model had said.
    again = messages_of(response["output"])[0]
    assert (again["content"], len(again["tool_calls"])) == ("So.", 3)


@pytest.mark.parametrize(
    ("message", "reason", "status", "why"),
    [
        ({"content": "So f"}, "length", "incomplete", "max_output_tokens"),
        ({"content": ""}, "content_filter", "incomplete", "content_filter"),
        ({"content": ""}, "stop", "completed", None),
        ({"content": None}, None, "completed", None),
    ],
)
def test_how_a_reply_ended(message, reason, status, why):
    response = response_of(completion(message, reason), {"model": "m"}, {})
    details = response["incomplete_details"]
    assert (response["status"], details and details["reason"]) == (status, why)
    assert len(response["output"]) == bool(message["content"])


def test_usage_that_was_not_told_is_null():
    reply = completion({"content": "a"})
    del reply["usage"]
    assert response_of(reply, {"model": "m"}, {})["usage"] is None


def test_a_refusal_is_a_refusal():
    response = response_of(completion({"content": None, "refusal": "No."}), {"model": "m"}, {})
    assert response["output"][0]["content"] == [{"type": "refusal", "refusal": "No."}]


def answer(*choices: Any, **more: Any) -> dict[str, Any]:
    return {"id": "x", "choices": list(choices), **more}


@pytest.mark.parametrize(
    "reply",
    [
        answer({"message": {"content": "a"}}),
        answer({"message": {"role": "assistant", "content": "a", "tool_calls": None}}),
        answer({"message": {"content": [{"type": "text", "text": "a"}]}}, usage=None, model=None),
        answer({"message": {"content": "a", "tool_calls": [{"function": {"name": "f"}}]}}),
        answer({"message": {"content": "a", "tool_calls": [call_of("f", {"p": 1})]}}),
        answer({"message": {"content": "a", "tool_calls": [call_of("f", None), {}]}}),
        answer({"message": {"content": "a"}}, usage={"prompt_tokens": None, "x": 1}),
    ],
)
def test_replies_of_careless_servers_are_understood(reply):
    response = response_of(reply, {"model": "m"}, {})
    assert response["output"][0]["content"][0]["text"] == "a"
    for item in response["output"][1:]:
        assert isinstance(item["arguments"], str) and item["call_id"]
    assert response["status"] == "completed" and response["model"] == "m"
    other = response_of({**reply, "id": "y"}, {"model": "m"}, {})
    named = [i["call_id"] for r in (response, other) for i in r["output"][1:]]
    assert len(set(named)) == len(named) or "c1" in named  # an id that we make is made once


@pytest.mark.parametrize(
    "reply",
    [{}, {"error": {"message": "busy"}}, answer(), {"choices": None}, answer({}), answer(1)],
)
def test_what_is_no_reply_is_502(reply):
    with pytest.raises(GatewayError, match="no chat completion") as caught:
        response_of(reply, {"model": "m"}, {})
    assert caught.value.status == 502


def test_chunks_of_careless_servers_are_understood():
    """No index, nothing but usage, empty and null deltas, two calls told apart by their ids."""

    def delta(**given: Any) -> dict[str, Any]:
        return answer({"delta": given})

    first, second = call_of("f", '{"a": ', "c1"), call_of("g", "{}", "c2")
    chunks = [
        answer(),
        answer({"delta": None}),
        delta(role="assistant", content=""),
        delta(content="a"),
        delta(tool_calls=[first]),
        delta(tool_calls=[{"function": {"arguments": "1}"}}]),
        delta(tool_calls=[second]),
        {**answer(), "choices": None, "usage": {"prompt_tokens": 1}},
    ]
    events = ResponseEvents({"model": "m"}, {})
    for chunk in chunks:
        list(events.feed(chunk))
    response = list(events.end())[-1]["response"]
    said, *calls = response["output"]
    assert said["content"][0]["text"] == "a"
    assert [(c["call_id"], c["arguments"]) for c in calls] == [("c1", '{"a": 1}'), ("c2", "{}")]
    assert response["usage"]["total_tokens"] == 1


class Free(Scripted):
    """Also calls the custom tool, and thinks aloud."""

    async def complete(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["model"] == "patcher":
            self.asked.append(request)
            calls = [call_of("apply_patch", json.dumps({"input": PATCH})), {**CALL, "id": "c9"}]
            return completion({"content": "长" * 3000, "reasoning": "Hm.", "tool_calls": calls})
        return await super().complete(request)


@pytest.fixture
async def backend() -> Free:
    return Free()


@pytest.fixture
async def gateway(backend: Free) -> AsyncIterator[Gateway]:
    async with Gateway(backend) as running:
        yield running


@pytest.fixture
async def client(gateway: Gateway) -> AsyncIterator[openai.AsyncOpenAI]:
    async with connect(gateway.base_url) as it:
        yield it


async def test_text_and_usage(client, backend):
    reply = await client.responses.create(model="echo", input="改名", instructions="Be brief.")
    assert reply.output_text == "改名" and reply.status == "completed"
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (11, 3)
    assert reply.id.startswith("resp_") and reply.model == "scripted"
    assert backend.asked[0]["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "改名"},
    ]


async def test_a_stream_tells_the_same_response(client):
    ask: dict[str, Any] = {"model": "patcher", "input": "x", "tools": TOOLS}
    whole = await client.responses.create(**ask)
    events = await collect(await client.responses.create(**ask, stream=True))
    assert [e.sequence_number for e in events] == list(range(len(events)))
    assert [e.type for e in events[:2]] == ["response.created", "response.in_progress"]
    assert events[-1].type == "response.completed"
    assert events[-1].response.model_dump() == whole.model_dump()
    done = [e.item for e in events if e.type == "response.output_item.done"]
    assert [i.model_dump() for i in done] == [i.model_dump() for i in whole.output]
    assert [i.type for i in done] == [
        *("reasoning", "message", "custom_tool_call", "function_call")
    ]
    text = "".join(e.delta for e in events if e.type == "response.output_text.delta")
    assert text == "长" * 3000
    given = [e.delta for e in events if e.type == "response.function_call_arguments.delta"]
    assert "".join(given) == CALL["function"]["arguments"]
    assert [e.input for e in events if e.type.endswith("input.done")] == [PATCH]
    added = {e.item.id for e in events if e.type == "response.output_item.added"}
    assert {e.item_id for e in events if hasattr(e, "item_id")} == added


async def test_the_clients_own_stream_helper_understands_it(client):
    async with client.responses.stream(model="patcher", input="x", tools=TOOLS[:2]) as stream:
        final = await stream.get_final_response()
    assert final.output[2].input == PATCH


async def test_a_conversation_goes_on_with_what_it_gave(client, backend):
    first = await client.responses.create(model="patcher", input="x", tools=TOOLS)
    items: list[Any] = [{"role": "user", "content": "x"}]
    items += [item.model_dump(exclude_none=True) for item in first.output]
    items.append({"type": "custom_tool_call_output", "call_id": "c1", "output": "Done."})
    items.append({"type": "function_call_output", "call_id": "c9", "output": ""})
    await client.responses.create(model="patcher", input=items, tools=TOOLS)
    roles = [m["role"] for m in backend.asked[-1]["messages"]]
    assert roles == ["user", "assistant", "tool", "tool"]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("model", "kind", "code"),
    [
        ("nobody", openai.NotFoundError, "model_not_found"),
        ("busy", openai.RateLimitError, "rate_limit_exceeded"),
        ("broken", openai.InternalServerError, "internal_error"),
    ],
)
async def test_refusals_are_openai_errors(client, stream, model, kind, code):
    with pytest.raises(kind) as caught:
        await client.responses.create(model=model, input="x", stream=stream)
    assert caught.value.code == code
    assert "private" not in str(caught.value)


BAD_CALL = {"type": "function_call", "call_id": 1, "name": "f", "arguments": "{}"}
LONE = {"type": "function_call_output", "call_id": "c1", "output": "x"}


@pytest.mark.parametrize(
    ("more", "param"),
    [
        ({"input": None}, "input"),
        ({"input": []}, "input"),
        ({"input": ["hi"]}, "input"),
        ({"input": [{"role": "critic", "content": "x"}]}, "input[0]"),
        ({"input": [{"role": "user", "content": 3}]}, "input[0]"),
        ({"input": [{"role": "user", "content": [{"type": "input_audio"}]}]}, "input[0]"),
        ({"input": [{"type": "compaction", "encrypted_content": "x"}]}, "input[0]"),
        ({"input": [{"type": "item_reference", "id": "x"}]}, "input[0]"),
        ({"input": [{}]}, "input[0]"),
        ({"input": [LONE]}, "input[0]"),
        ({"input": [BAD_CALL]}, "input[0]"),
        ({"tools": ["x"]}, "tools"),
        ({"tools": [READ], "tool_choice": {"type": "file_search"}}, "tool_choice"),
        ({"previous_response_id": "resp_1"}, "previous_response_id"),
        ({"conversation": "conv_1"}, "conversation"),
        ({"background": True}, "background"),
        ({"text": "plain"}, "text"),
        ({"model": ""}, "model"),
    ],
)
async def test_what_cannot_be_is_400_and_names_the_field(gateway, backend, more, param):
    body = json.dumps({"model": "echo", "input": "x", **more}).encode("utf-8")
    status, reply, _ = await send(gateway, "POST", "/v1/responses", body)
    assert (status, reply["error"]["param"]) == (400, param)
    assert backend.asked == []


@pytest.mark.parametrize("depth", [900, 100_000])
async def test_deep_json_is_no_crash(gateway, depth):
    deep = b"[" * depth + b"]" * depth
    body = b'{"model": "echo", "input": "x", "metadata": {"a": ' + deep + b"}}"
    status, _, _ = await send(gateway, "POST", "/v1/responses", body)
    assert status in (200, 400)


async def test_nothing_is_stored(gateway):
    for method, path in (("GET", "/v1/responses/resp_1"), ("POST", "/v1/responses/resp_1/cancel")):
        status, reply, _ = await send(gateway, method, path)
        assert status == 404 and "stores no responses" in reply["error"]["message"]
    assert (await send(gateway, "GET", "/v1/responses"))[0] == 405


async def test_64_at_once_keep_their_answers_apart(client):
    async def ask(n: int) -> str:
        reply = await client.responses.create(model="echo", input=f"number {n}", stream=n % 2 == 1)
        if n % 2 == 0:
            return reply.output_text
        return (await collect(reply))[-1].response.output[0].content[0].text

    assert await asyncio.gather(*map(ask, range(64))) == [f"number {n}" for n in range(64)]


async def test_a_cancelled_call_ends_the_backends_work(client, backend):
    task = asyncio.create_task(client.responses.create(model="slow", input="x"))
    await asyncio.wait_for(backend.running.wait(), 5)
    task.cancel()
    await asyncio.wait_for(backend.cut_off.wait(), 5)


async def test_leaving_a_stream_ends_the_backends_work():
    backend = Dripping()
    async with Gateway(backend) as gateway, connect(gateway.base_url) as client:
        stream = await client.responses.create(model="slow", input="x", stream=True)
        async for event in stream:
            if event.type == "response.output_text.delta":
                break
        await stream.close()
        await asyncio.wait_for(backend.cut_off.wait(), 5)


async def test_a_stream_that_breaks_off_ends_with_failed():
    async with Gateway(Dripping()) as gateway, connect(gateway.base_url) as client:
        events = await collect(await client.responses.create(model="fails", input="x", stream=True))
    assert events[-1].type == "response.failed"
    assert (events[-1].response.status, events[-1].response.error.message) == ("failed", "lost it")


class Native(Scripted):
    """A server with a Responses API of its own; keeps what it was asked."""

    async def responds(self) -> bool:
        return True

    async def respond(self, request: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(request)
        if request["model"] == "nobody":
            raise GatewayError(404, "model_not_found", "no model 'nobody'")
        return response_of(completion({"content": "native"}), request, {})

    async def respond_stream(self, request: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        response = await self.respond(request)
        yield {"type": "response.created", "sequence_number": 0, "response": response}
        yield {"type": "response.completed", "sequence_number": 1, "response": response}


async def test_an_upstream_with_the_api_gets_the_request_as_it_is():
    server = Native()
    async with Gateway(server) as behind:
        upstream = Upstream(behind.base_url)
        async with Gateway(upstream) as front, connect(front.base_url) as client:
            odd = [{"type": "item_reference", "id": "x"}]
            reply = await client.responses.create(
                model="m", input=odd, previous_response_id="resp_1", store=True
            )
            assert reply.output_text == "native"
            assert server.asked[-1] == {
                "model": "m",
                "input": odd,
                "previous_response_id": "resp_1",
                "store": True,
            }
            events = await collect(await client.responses.create(model="m", input="x", stream=True))
            assert [e.type for e in events] == ["response.created", "response.completed"]
            for stream in (False, True):
                with pytest.raises(openai.NotFoundError, match="no model 'nobody'"):
                    await client.responses.create(model="nobody", input="x", stream=stream)
        await upstream.close()


async def chat_only(request: web.Request) -> web.Response:
    if request.path != "/v1/chat/completions":
        return web.json_response({"detail": "Not Found"}, status=404)
    asked = await request.json()
    return web.json_response(completion({"content": f"chat, {asked['model']}"}))


async def test_an_upstream_without_the_api_gets_a_chat(unused_tcp_port):
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", chat_only)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", unused_tcp_port).start()
    upstream = Upstream(f"http://127.0.0.1:{unused_tcp_port}/v1", model="theirs")
    async with Gateway(upstream) as front, connect(front.base_url) as client:
        reply = await client.responses.create(model="mine", input="x")
        assert reply.output_text == "chat, theirs"
    await upstream.close()
    await runner.cleanup()


async def test_an_absent_upstream_is_502(unused_tcp_port):
    upstream = Upstream(f"http://127.0.0.1:{unused_tcp_port}/v1")
    async with Gateway(upstream) as front, connect(front.base_url) as client:
        with pytest.raises(openai.InternalServerError) as caught:
            await client.responses.create(model="m", input="x")
    assert (caught.value.status_code, caught.value.code) == (502, "upstream_unreachable")
    await upstream.close()


async def test_a_strategy_leaves_the_rest_of_the_items_as_they_came(tmp_path: Path):
    """Reasoning that only its server can read, ids, phases: all of the uncut part goes through."""
    server = Native()
    sessions = Sessions(settings_of("recent_n", tmp_path, None, window=2000, messages=6))
    items: list[dict[str, Any]] = [{"role": "user", "content": "Start."}]
    for n in range(30):
        items += [
            {"type": "reasoning", "id": f"rs_{n}", "summary": [], "encrypted_content": f"e{n}"},
            {
                "type": "custom_tool_call",
                "id": f"ctc_{n}",
                "call_id": f"c{n}",
                "name": "apply_patch",
            }
            | {"input": PATCH},
            {"type": "custom_tool_call_output", "call_id": f"c{n}", "output": "Done. " * 30},
        ]
    async with Gateway(server, sessions=sessions) as gateway, connect(gateway.base_url) as client:
        await client.responses.create(model="m", input=items, tools=TOOLS)
        raw = await client.responses.with_raw_response.create(model="m", input=items, tools=TOOLS)
        with pytest.raises(openai.BadRequestError, match="stores no responses"):
            await client.responses.create(model="m", input=items, previous_response_id="resp_1")
    assert int(raw.headers["x-seambench-seams"]) >= 1
    shown = server.asked[-1]["input"]
    assert len(shown) < len(items) / 2
    assert shown[-6:] == items[-6:]
    assert all(item in items or "role" in item for item in shown)
    sessions.close()
