"""The agent's tools: what the model is told, tolerant parsing of its calls, and dispatch.

A call that is wrong goes back to the model as a text that begins with "error: "; nothing that a
model sends raises.
"""

from __future__ import annotations

import errno
import json
import os
from typing import Any

from .errors import WorkspaceError
from .guard import no_space
from .sandbox import Sandbox
from .types import Message, ToolCall, ToolResult
from .workspace import BIG, Workspace

READ_BYTES = 24 * 1024
"""`read_file` shows at most this much of a file: its first and its last half."""
COMMAND_BYTES = 32 * 1024
TIMEOUT_S = 30.0
STATUSES = ("todo", "doing", "done")
NO_SPACE_TEXT = os.strerror(errno.ENOSPC)

_TEXT = {"type": "string"}
_ITEM = {
    "type": "object",
    "properties": {"text": _TEXT, "status": {"type": "string", "enum": list(STATUSES)}},
    "required": ["text", "status"],
    "additionalProperties": False,
}
_TOOLS: dict[str, tuple[str, dict[str, Any]]] = {
    "read_file": ("Show the text of a file.", {"path": _TEXT}),
    "write_file": (
        "Create a file, or replace all of its text.",
        {"path": _TEXT, "content": _TEXT},
    ),
    "edit_file": (
        "Replace one passage of a file. `old` must occur in it exactly once.",
        {"path": _TEXT, "old": _TEXT, "new": _TEXT},
    ),
    "run": ("Run a shell command (bash) in the project's folder.", {"command": _TEXT}),
    "update_plan": (
        "Note the plan: all steps, each with its status.",
        {"items": {"type": "array", "items": _ITEM}},
    ),
    "ask_user": ("Ask the user a question and wait for the answer.", {"question": _TEXT}),
    "finish": ("Say that the work is finished, with a closing message.", {"message": _TEXT}),
}


def schemas(plan: bool = True) -> list[dict[str, Any]]:
    """The tools in the OpenAI function format; `plan=False` leaves `update_plan` out."""
    return [
        {
            "type": "function",
            "function": {
                "name": name,
                "description": description,
                "parameters": {
                    "type": "object",
                    "properties": properties,
                    "required": list(properties),
                    "additionalProperties": False,
                },
            },
        }
        for name, (description, properties) in _TOOLS.items()
        if plan or name != "update_plan"
    ]


def parse_calls(message: Message) -> list[ToolCall]:
    """The tool calls of an assistant message, in order; wrong ones carry `error`."""
    calls = message.get("tool_calls") or []
    if not isinstance(calls, list):
        return []
    return [_parse(call, number) for number, call in enumerate(calls)]


def _parse(call: Any, number: int) -> ToolCall:
    call = call if isinstance(call, dict) else {}
    function = call.get("function")
    function = function if isinstance(function, dict) else {}
    identity = call.get("id") if isinstance(call.get("id"), str) else f"call_{number}"
    name = function.get("name") if isinstance(function.get("name"), str) else ""
    try:
        args = _arguments(function.get("arguments"))
        return ToolCall(identity, name, _checked(name, args))
    except ValueError as error:
        return ToolCall(identity, name, {}, f"error: {error}")


def _arguments(given: Any) -> dict[str, Any]:
    """Arguments from a JSON text, or from an object as some servers send it."""
    if isinstance(given, str):
        try:
            given = json.loads(given, strict=False) if given.strip() else {}
        except (ValueError, RecursionError) as error:
            raise ValueError(f"the arguments are not valid JSON: {error}") from error
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise ValueError("the arguments must be one JSON object")
    return given


def _checked(name: str, args: dict[str, Any]) -> dict[str, Any]:
    if name not in _TOOLS:
        raise ValueError(f"there is no tool {name!r}; the tools are {', '.join(_TOOLS)}")
    properties = _TOOLS[name][1]
    for key in properties:
        if key not in args:
            raise ValueError(f"{name} needs {key!r}; its arguments are {', '.join(properties)}")
    for key in args:
        if key not in properties:
            raise ValueError(f"{name} has no {key!r}; its arguments are {', '.join(properties)}")
    for key, value in args.items():
        _check_items(value) if key == "items" else _check_text(name, key, value)
    return args


def _check_text(name: str, key: str, value: Any) -> None:
    if not isinstance(value, str):
        raise ValueError(f"{name}: {key!r} must be a text, not {type(value).__name__}")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"{name}: {key!r} has half a surrogate pair") from error
    if key in ("path", "command") and "\0" in value:
        raise ValueError(f"{name}: {key!r} has a NUL character")
    if key == "command" and len(value.encode("utf-8")) > COMMAND_BYTES:
        raise ValueError(f"run: the command is over {COMMAND_BYTES} bytes; write a file")


def _check_items(items: Any) -> None:
    if not isinstance(items, list):
        raise ValueError("update_plan: 'items' must be a list of {text, status}")
    for item in items:
        if not isinstance(item, dict) or set(item) != {"text", "status"}:
            raise ValueError("update_plan: every item needs 'text' and 'status' and nothing else")
        _check_text("update_plan", "text", item["text"])
        if item["status"] not in STATUSES:
            raise ValueError(f"update_plan: 'status' must be one of {', '.join(STATUSES)}")


def apply_edit(text: str, old: str, new: str) -> str:
    """`text` with its only occurrence of `old` replaced by `new`.

    Raises ValueError (one sentence) where `old` is empty, equal to `new`, missing or not unique.
    """
    if not old:
        raise ValueError("the old text is empty")
    if old == new:
        raise ValueError("the old and the new text are the same")
    at = text.find(old)
    if at < 0:
        raise ValueError("the old text does not occur in the file")
    if text.find(old, at + 1) >= 0:
        raise ValueError("the old text occurs more than once; give more of the lines around it")
    return text[:at] + new + text[at + len(old) :]


async def dispatch(call: ToolCall, workspace: Workspace, sandbox: Sandbox) -> ToolResult:
    """Carry out a parsed call. `ask_user` and `finish` are the caller's: ok, empty text.

    `ok` of `run` is true for exit code 0. Raises SandboxError where the sandbox itself fails, and
    WorkspaceError of kind "no_space" where the disk with the workspace is full.
    """
    if call.error is not None:
        return ToolResult(call.error, ok=False)
    args = call.args
    if call.name == "run":
        result = await sandbox.run(args["command"], workspace.root, timeout_s=TIMEOUT_S)
        if result.exit_code and NO_SPACE_TEXT in result.raw and workspace.full():
            raise WorkspaceError(f"run: {NO_SPACE_TEXT}", kind="no_space")
        text = result.text or "(no output)"
        ok = result.exit_code == 0
        return ToolResult(text, ok, result.raw, result.seconds, result.timed_out)
    try:
        if call.name == "read_file":
            return ToolResult(_read(workspace, args["path"]), ok=True)
        if call.name == "write_file":
            return ToolResult(_write(workspace, args["path"], args["content"]), ok=True)
        if call.name == "edit_file":
            return ToolResult(_edit(workspace, args["path"], args["old"], args["new"]), ok=True)
    except (WorkspaceError, ValueError) as error:
        return ToolResult(f"error: {error}", ok=False)
    except OSError as error:
        if no_space(error):
            raise WorkspaceError(f"{args['path']}: {error.strerror}", kind="no_space") from error
        return ToolResult(f"error: {args['path']}: {error.strerror}", ok=False)
    if call.name == "update_plan":
        return ToolResult(f"plan updated ({_count(len(args['items']), 'item')})", ok=True)
    return ToolResult("", ok=True)


def _read(workspace: Workspace, path: str) -> str:
    content = workspace.read(path)
    if b"\0" in content[:8192]:
        raise ValueError(f"{path} is not a text file ({len(content)} bytes)")
    if len(content) <= READ_BYTES:
        return content.decode("utf-8", "replace") or "(empty file)"
    half = READ_BYTES // 2
    # A character cut in two at the edge of a half is dropped, not shown as a broken one.
    head = content[:half].decode("utf-8", "ignore")
    tail = content[-half:].decode("utf-8", "ignore")
    left_out = len(content) - 2 * half
    return f"{head}\n[... {left_out} bytes left out; use run to see them ...]\n{tail}"


def _write(workspace: Workspace, path: str, content: str) -> str:
    data = content.encode("utf-8")
    if len(data) > BIG:
        raise ValueError(f"the content is over {BIG} bytes")
    target = workspace.resolve(path)
    if target.exists() and not target.is_file():
        raise ValueError(f"{path} is not a file")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    return f"wrote {_relative(workspace, path)} ({_count(len(content.splitlines()), 'line')})"


def _edit(workspace: Workspace, path: str, old: str, new: str) -> str:
    try:
        text = workspace.read(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8 text") from error
    try:
        changed = apply_edit(text, old, new)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    workspace.resolve(path).write_bytes(changed.encode("utf-8"))
    return f"edited {_relative(workspace, path)}"


def _relative(workspace: Workspace, path: str) -> str:
    return workspace.resolve(path).relative_to(workspace.root).as_posix()


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
