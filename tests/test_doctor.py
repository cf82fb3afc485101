"""`seambench doctor model=...` against servers that can more or less, and what it advises."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from aiohttp import web
from servers import completion, refuse

from harness.cli import main
from harness.endpoint import advice
from harness.probe import Probe

USAGE = {"prompt_tokens": 50, "completion_tokens": 7}
BLOCK = '<tool_call>{"name": "read_file", "arguments": {"path": "README.md"}}</tool_call>'


def speaks(calls_when: Callable[[dict[str, Any]], int], text: str = "Yes.", usage: Any = USAGE):
    """A step: as many tool calls as `calls_when` says of the request, else a text."""

    async def step(request: web.Request) -> web.Response:
        if request.method == "GET":
            entry = {"id": "m", "max_model_len": 16384}
            return web.json_response({"object": "list", "data": [entry]})
        body = await request.json()
        told = json.dumps(body["messages"])
        function = {"name": "read_file", "arguments": '{"path": "README.md"}'}
        calls = [{"id": f"c{n}", "function": function} for n in range(calls_when(body))]
        said = text if "<tool_call>" in told else "Yes."
        message = {"role": "assistant", "content": None if calls else said, "tool_calls": calls}
        return web.json_response(completion(message, usage=usage))

    return step


def good(body: dict[str, Any]) -> int:
    several = "three times" in json.dumps(body["messages"])
    return (3 if several else 1) if body.get("tools") else 0


async def found(model: Any) -> tuple[dict[str, tuple[bool | None, str]], bool]:
    probe = Probe(model, "m")
    lines = {name: (ok, told) async for name, ok, told in probe.lines()}
    return lines, probe.works


async def test_a_server_that_can_everything(server, make):
    server.script = [speaks(good)]
    lines, works = await found(make(window=20000))
    assert works and not [name for name, (ok, _) in lines.items() if ok is False]
    assert lines["tools"] == (True, "called read_file")
    assert lines["parallel"][1] == "3 calls in one answer"
    assert lines["forced"][1] == "with model.tool_choice=required: called read_file"
    assert lines["usage"][1] == "50 in (cached: unknown), 7 out (reasoning: unknown)"
    assert lines["window"][1] == "the server says 16384, model.window is 20000"
    assert "text" not in lines


@pytest.mark.parametrize(
    ("can", "text", "line", "advised"),
    [
        (lambda body: body.get("tool_choice") == "required", "", "forced", "tool_choice=required"),
        (
            lambda body: isinstance(body.get("tool_choice"), dict),
            "",
            "named",
            "tool_choice=read_file",
        ),
        (lambda body: 0, BLOCK, "text", "model.tools=text"),
    ],
)
async def test_what_to_set_where_tools_are_not_called_by_themselves(
    server, make, can, text, line, advised
):
    server.script = [speaks(can, text)]
    lines, works = await found(make())
    assert not works and lines["tools"][0] is False
    assert "set " in lines[line][1] and advised in lines[line][1]
    others = {"forced", "named", "text"} - {line}
    assert not [name for name in others if "set " in lines[name][1]]


async def test_with_what_was_advised_it_works(server, make):
    server.script = [speaks(lambda body: 0, BLOCK)]
    lines, works = await found(make(tools="text"))
    assert works and lines["tools"][0] and "text" not in lines


async def test_usage_that_is_not_reported_is_told(server, make):
    server.script = [speaks(good, usage=None)]
    lines, works = await found(make())
    assert works and "not reported" in lines["usage"][1]


async def test_a_server_that_takes_no_results_of_calls(server, make):
    refusal = refuse(400, "role 'tool' is not supported")
    can = speaks(good)

    async def step(request: web.Request) -> web.StreamResponse:
        body = await request.read()
        return await (refusal if b'"role":"tool"' in body else can)(request)

    server.script = [step]
    lines, works = await found(make())
    assert not works and lines["tools"][0] and lines["result"][0] is False
    assert "not supported" in lines["result"][1]


async def test_nothing_more_is_asked_where_nothing_answers(server, make):
    server.script = [refuse(401, "bad key")]
    lines, works = await found(make())
    assert not works and list(lines) == ["answer"] and "401" in lines["answer"][1]
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    ("words", "setting"),
    [
        ("Unsupported parameter: 'temperature' is not supported", "model.temperature=null"),
        ("registry.ollama.ai/library/x does not support tools", "model.tools=text"),
        ("Unrecognized request argument: reasoning_effort", "model.effort=null"),
        ("something else", ""),
    ],
)
def test_a_refused_field_is_told_with_its_setting(words, setting):
    assert setting in advice(words) and bool(advice(words)) == bool(setting)


@pytest.mark.parametrize(
    ("override", "code", "told"),
    [
        ("model=worker", 0, "ok   result"),
        ("model=endpoint model.name=m model.base_url=http://127.0.0.1:9/v1", 1, "FAIL answer"),
        ("model=openai model.name=m", 1, "OPENAI_API_KEY"),
    ],
)
def test_the_command(override, code, told, monkeypatch, capsys):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert main(["doctor", "family=rename", *override.split()]) == code
    assert told in capsys.readouterr().out
