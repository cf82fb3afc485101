"""Tools for models that have none of their own: told in the system prompt, called in plain text.

The transcript keeps the usual form; only what is sent and what comes back is put into words. The
parser takes what models write in practice: a tagged or fenced JSON object, tags with parameters,
one tag per argument. What is marked as a call and cannot be read is passed on as it is, so that
the agent is told what was wrong with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from harness.chat import MOST_CALLS, assistant, tool_call
from harness.text import content_text
from harness.types import Message

SEARCHED = 2**20  # characters of a reply in which calls are sought; no tool takes more
MOST_FENCES = 16

_FORM = """To use a tool, write such a block, with the arguments as one JSON object:

<tool_call>
{"name": "read_file", "arguments": {"path": "README.md"}}
</tool_call>

Several blocks are carried out in order; write nothing after the last one. The results come in the \
next message. The tools, each with the JSON schema of its arguments:
"""

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
_FUNCTION = re.compile(
    r"<(?:function|invoke)(?:=|\s+name=)[\"']?(?P<name>[\w.-]+)[\"']?\s*>"
    r"(?P<body>.*?)(?:</(?:function|invoke)>|(?=</tool_call>)|\Z)",
    re.DOTALL,
)
_PARAMETER = re.compile(
    r"<parameter(?:=|\s+name=)[\"']?([\w.-]+)[\"']?\s*>(.*?)"
    r"(?:</parameter>|(?=<parameter\b)|(?=</(?:function|invoke|tool_call)>)|\Z)",
    re.DOTALL,
)
_TAGGED = re.compile(
    r"<tool_call>\s*(?P<body>.*?)\s*(?:</tool_call>|(?=<tool_call>)|\Z)", re.DOTALL
)
_FENCE = re.compile(r"```(?:json|tool_call|tool|tool_code)?[ \t]*\n\s*(?=\{)")
_CLOSED = re.compile(r"\s*(?:```|</tool_call>)")
_STRAY_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)
_NAMES = ("name", "tool", "tool_name", "function")
_ARGUMENTS = ("arguments", "args", "parameters", "input")

Found = tuple[int, int, dict[str, Any]]
"""Where a call stands in the text (start, end), and the call in the chat format."""


def put(messages: Sequence[Message], tools: list[dict[str, Any]] | None) -> list[Message]:
    """Messages without tool calls and results: as text, and what `tools` are in the system prompt.

    Neighbouring messages of one role are joined, since many chat templates want them to alternate.
    """
    said = [_as_text(message) for message in messages]
    if tools:
        told = "\n".join(_described(tool["function"]) for tool in tools)
        first = said[:1] if said and said[0]["role"] == "system" else []
        system = {"role": "system", "content": _FORM + told}
        said = [*first, system, *said[len(first) :]]
    joined: list[Message] = []
    for message in said:
        if joined and joined[-1]["role"] == message["role"]:
            both = [joined[-1]["content"], message["content"]]
            joined[-1] = {"role": message["role"], "content": "\n\n".join(filter(None, both))}
        else:
            joined.append(message)
    return joined


def taken(message: Message, tools: list[dict[str, Any]], at: int) -> Message:
    """An assistant message with the calls in its text as tool calls; `at` numbers them."""
    text = content_text(message)
    known = {tool["function"]["name"]: tool["function"]["parameters"] for tool in tools}
    spoken = _THOUGHT.sub(lambda m: " " * len(m.group()), text[:SEARCHED])
    found = list(_calls(spoken, known))
    if not found or message.get("tool_calls"):
        return message
    rest, place = [], 0
    for start, end, _ in found:
        rest.append(text[place:start])
        place = end
    calls = [{**call, "id": f"call_{at}_{n}"} for n, (_, _, call) in enumerate(found)]
    return {**message, **assistant("".join([*rest, text[place:]]).strip(), calls)}


def _as_text(message: Message) -> Message:
    text = content_text(message)
    if message["role"] == "tool":
        return {"role": "user", "content": f"<tool_result>\n{text}\n</tool_result>"}
    if message["role"] == "assistant":
        blocks = [_block(call["function"]) for call in message.get("tool_calls") or []]
        return {"role": "assistant", "content": "\n".join(filter(None, [text, *blocks]))}
    return {"role": message["role"], "content": text}


def _block(function: Mapping[str, str]) -> str:
    name = json.dumps(function["name"], ensure_ascii=False)
    arguments = function["arguments"] or "{}"
    return f'<tool_call>\n{{"name": {name}, "arguments": {arguments}}}\n</tool_call>'


def _described(function: Mapping[str, Any]) -> str:
    schema = json.dumps(function["parameters"], ensure_ascii=False)
    return f"- {function['name']}: {function.get('description', '')} Arguments: {schema}"


def _calls(text: str, known: Mapping[str, Any]) -> Iterator[Found]:
    """The calls in order; where one form is found, text in others is only text."""
    for form in (_tagged, _functions, _fenced, _by_name, _bare):
        found = list(islice(form(text, known), MOST_CALLS))
        if found:
            yield from found
            return


def _tagged(text: str, known: Mapping[str, Any]) -> Iterator[Found]:
    for match in _TAGGED.finditer(text):
        body = match["body"]
        inner = list(_functions(body, known))
        if inner:
            yield match.start(), match.end(), inner[0][2]
            continue
        data, length = _object(body)
        end = match.start("body") + length if data is not None else match.end()
        closed = _CLOSED.match(text, end)
        call = _from(data) if data is not None else None
        yield match.start(), closed.end() if closed else end, call or _unreadable(body)


def _functions(text: str, known: Mapping[str, Any]) -> Iterator[Found]:
    for match in _FUNCTION.finditer(text):
        pairs = [(m[1], m[2]) for m in _PARAMETER.finditer(match["body"])]
        args = _typed(pairs, known.get(match["name"], {}))
        yield match.start(), match.end(), tool_call("", match["name"], args)


def _fenced(text: str, known: Mapping[str, Any]) -> Iterator[Found]:
    for match in islice(_FENCE.finditer(text), MOST_FENCES):
        closing = text.find("\n```", match.end())
        data, length = _object(text[match.end() :])
        if data is None and closing >= 0:
            data, length = _object(text[match.end() : closing])
        call = _from(data) if data is not None else None
        if call and call["function"]["name"] in known:  # other JSON is only shown
            end = match.end() + length
            closed = _CLOSED.match(text, end)
            yield match.start(), closed.end() if closed else end, call


def _by_name(text: str, known: Mapping[str, Any]) -> Iterator[Found]:
    for start, end, name, inner in _elements(text, known):
        fields = known[name].get("properties", {})
        pairs = [(field, value) for _, _, field, value in _elements(inner, fields)]
        yield start, end, tool_call("", name, _typed(pairs, known[name]))


def _elements(text: str, names: Iterable[str]) -> Iterator[tuple[int, int, str, str]]:
    """Tags of these names that are closed: start, end, name, what is within."""
    last = {name: text.rfind(f"</{name}>") for name in names}
    done = 0
    for match in re.finditer(rf"<({'|'.join(map(re.escape, last))})>", text):
        name = match[1]
        if match.start() >= done and last[name] >= match.end():
            close = text.find(f"</{name}>", match.end())
            done = close + len(name) + 3
            yield match.start(), done, name, text[match.end() : close]


def _bare(text: str, known: Mapping[str, Any]) -> Iterator[Found]:
    start = len(text) - len(text.lstrip())
    data, length = _object(text[start:])
    call = _from(data) if data is not None else None
    if call and call["function"]["name"] in known and not text[start + length :].strip():
        yield start, start + length, call


def _object(text: str) -> tuple[Any, int]:
    """The JSON value that a text begins with, and its length there; None, 0 where there is none."""
    for repaired in (text, _STRAY_COMMA.sub(lambda m: m[1] or " ", text)):  # of the same length
        try:
            return json.JSONDecoder(strict=False).raw_decode(repaired)
        except (ValueError, RecursionError):
            continue
    return None, 0


def _from(data: Any) -> dict[str, Any] | None:
    """A call from an object that names a tool and its arguments; None where it does not."""
    if not isinstance(data, dict):
        return None
    inner = data.get("function")
    if isinstance(inner, dict):
        return _from(inner)
    name = next((data[key] for key in _NAMES if isinstance(data.get(key), str)), None)
    if name is None:
        return None
    args = next((data[key] for key in _ARGUMENTS if key in data), None)
    if args is None:  # the arguments beside the name
        args = {key: value for key, value in data.items() if key not in _NAMES}
    return tool_call("", name, args or "{}")


def _typed(pairs: Sequence[tuple[str, str]], schema: Mapping[str, Any]) -> str:
    """Arguments as JSON text; what the schema does not want as a text is read as JSON."""
    properties = schema.get("properties", {})
    args: dict[str, Any] = {}
    for key, value in pairs:
        value = value.removeprefix("\n").removesuffix("\n")
        args[key] = value
        if properties.get(key, {}).get("type", "string") != "string":
            data, _ = _object(value.strip())
            args[key] = value if data is None else data
    return json.dumps(args, ensure_ascii=False)


def _unreadable(body: str) -> dict[str, Any]:
    named = re.search(r'"(?:name|tool)"\s*:\s*"([\w.-]+)"', body)
    return tool_call("", named[1] if named else "", body)
