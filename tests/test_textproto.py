"""Tools in plain text: what models without tool calling write, and what they are shown."""

from __future__ import annotations

import json
from typing import Any

import pytest
from servers import USER, answer, completion

from harness.chat import MOST_CALLS
from harness.textproto import put, taken
from harness.tools import parse_calls, schemas

TOOLS = schemas()
ONE = ("run", {"command": "ls"})


def calls(text: str) -> list[tuple[str, Any]]:
    """What the agent would carry out: name and arguments, or the error it would tell."""
    message = taken({"role": "assistant", "content": text}, TOOLS, 7)
    return [(call.name, call.error or call.args) for call in parse_calls(message)]


def block(name: str, **args: Any) -> str:
    body = json.dumps({"name": name, "arguments": args}, ensure_ascii=False)
    return f"<tool_call>\n{body}\n</tool_call>"


@pytest.mark.parametrize(
    "text",
    [
        block("run", command="ls"),
        "I look first.\n\n" + block("run", command="ls"),
        '<tool_call>{"name": "run", "arguments": {"command": "ls",},}</tool_call>',
        '<tool_call>{"name": "run", "arguments": {"command": "ls"}}',
        '<tool_call>\n{"tool": "run", "args": {"command": "ls"}}\n</tool_call>',
        '<tool_call>{"function": {"name": "run", "arguments": {"command": "ls"}}}</tool_call>',
        '<tool_call>{"name": "run", "arguments": "{\\"command\\": \\"ls\\"}"}</tool_call>',
        '```json\n{"name": "run", "parameters": {"command": "ls"}}\n```',
        '```tool_call\n{"tool": "run", "command": "ls"}\n```\n',
        '```\n{"name": "run", "arguments": {"command": "ls"},\n}\n```',
        '{"name": "run", "arguments": {"command": "ls"}}',
        "<function=run>\n<parameter=command>\nls\n</parameter>\n</function>",
        "<tool_call>\n<function=run>\n<parameter=command>\nls\n</parameter>\n</function>\n</tool_call>",
        '<invoke name="run"><parameter name="command">ls</parameter></invoke>',
        "<run>\n<command>ls</command>\n</run>",
        '<think>\nmaybe <tool_call>{"name": "finish"}</tool_call>?\n</think>\n'
        + block("run", command="ls"),
    ],
)
def test_forms_that_models_write(text):
    assert calls(text) == [ONE]


def test_several_calls_in_order_and_the_words_around_them():
    text = f"First.\n{block('run', command='ls')}\n{block('read_file', path='文件.py')}\nDone."
    message = taken({"role": "assistant", "content": text}, TOOLS, 7)
    assert [call["id"] for call in message["tool_calls"]] == ["call_7_0", "call_7_1"]
    assert calls(text) == [ONE, ("read_file", {"path": "文件.py"})]
    assert message["content"].split() == ["First.", "Done."]


def test_a_file_may_hold_fences_and_line_ends():
    content = '# A\n\n```python\nprint({"a": [1,],})\n```\n'
    body = json.dumps({"name": "write_file", "arguments": {"path": "a.md", "content": content}})
    for text in (
        f"```json\n{body}\n```",
        f"<tool_call>\n{body}\n</tool_call>",
        f"<write_file><path>a.md</path>\n<content>\n{content}\n</content></write_file>",
    ):
        assert calls(text) == [("write_file", {"path": "a.md", "content": content})]
    raw = '<tool_call>{"name": "write_file", "arguments": {"path": "a", "content": "x\ny"}}'
    assert calls(raw) == [("write_file", {"path": "a", "content": "x\ny"})]


def test_commas_within_texts_stay():
    text = '<tool_call>{"name": "run", "arguments": {"command": "echo \'[1,]\' , }",}}</tool_call>'
    assert calls(text) == [("run", {"command": "echo '[1,]' , }"})]


def test_a_list_argument_in_tags_is_read_as_json():
    items = '[{"text": "a", "status": "todo"},]'
    text = f"<function=update_plan><parameter=items>{items}</parameter></function>"
    assert calls(text) == [("update_plan", {"items": [{"text": "a", "status": "todo"}]})]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('<tool_call>{"name": "run", "arguments": {"command": ls}}</tool_call>', "not valid JSON"),
        ('<tool_call>{"name": "run", "arguments": {"command": "l', "not valid JSON"),
        ("<tool_call>please list files</tool_call>", "not valid JSON"),
        (block("launch", command="ls"), "there is no tool 'launch'"),
        (block("run", cmd="ls"), "needs 'command'"),
    ],
)
def test_what_is_marked_as_a_call_and_wrong_is_told_to_the_model(text, told):
    ((_, error),) = calls(text)
    assert told in error


@pytest.mark.parametrize(
    "text",
    [
        "",
        "All is done.",
        'The package.json has\n```json\n{"name": "left-pad", "version": "1"}\n```',
        '{"name": "left-pad"}',
        "Use <run> with care.",
        "```python\nrun('ls')\n```",
        '<think>\n{"name": "run"',
    ],
)
def test_plain_words_are_no_calls(text):
    message = {"role": "assistant", "content": text}
    assert taken(message, TOOLS, 7) == message


@pytest.mark.parametrize(
    "piece",
    ["<run>", "```json\n{", "<tool_call>", "<function=run>", '{"name": ', "<think>", ',"\\'],
)
def test_hostile_repetition_ends(piece):
    """Quadratic reading of these would take hours, not seconds."""
    found = calls(piece * (2**21 // len(piece)))
    assert len(found) <= MOST_CALLS and all(isinstance(error, str) for _, error in found)


def test_what_the_model_is_shown():
    made = taken({"role": "assistant", "content": "Look.\n" + block("run", command="ls")}, TOOLS, 1)
    results = [
        {"role": "tool", "tool_call_id": "call_1_0", "content": "a.py"},
        {"role": "user", "content": "by the way"},
    ]
    shown = put([{"role": "system", "content": "Be exact."}, *USER, made, *results], TOOLS)
    assert [m["role"] for m in shown] == ["system", "user", "assistant", "user"]
    assert shown[0]["content"].startswith("Be exact.\n\n")
    for tool in TOOLS:
        assert f"- {tool['function']['name']}: " in shown[0]["content"]
    assert calls(shown[2]["content"]) == [ONE] and shown[2]["content"].startswith("Look.")
    assert shown[3]["content"] == "<tool_result>\na.py\n</tool_result>\n\nby the way"
    without = put([*USER, made, *results], None)
    assert [m["role"] for m in without] == ["user", "assistant", "user"]


async def test_a_model_without_tools_takes_part_in_the_loop(server, make):
    server.script = [answer(200, completion({"content": block("run", command="ls")}))]
    model = make(tools="text")
    reply = await model.complete(USER, TOOLS)
    assert [(c.name, c.args) for c in parse_calls(reply.message)] == [ONE]
    assert "tools" not in server.bodies[0] and server.bodies[0]["messages"][0]["role"] == "system"
    await model.complete([*USER, reply.message], None)  # a summary: the calls as words, no tools
    assert "tool_calls" not in str(server.bodies[1])
    assert server.bodies[1]["messages"][0] == USER[0]
