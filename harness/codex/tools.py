"""Codex's tools said in ours: exec_command, apply_patch, update_plan and what they give back.

Calls are those of chat messages, as the gateway makes them of Codex's items: a free text tool has
one argument, `input`.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from harness.codex.patch import FileChange, read_patch
from harness.command_text import normalise
from harness.gateway.responses import INPUT
from harness.scorer import QUESTION, claims_finished
from harness.text import content_text, workspace_path
from harness.transcript import Turn
from harness.types import Message, ToolResult, Usage

CONTEXT = re.compile(r"\s*(?:<(?:[a-z_]+_instructions|environment_context|skill|turn_aborted)\b)")
"""How the user messages begin that Codex itself puts there."""
PLAN = {"pending": "todo", "in_progress": "doing", "completed": "done"}
"""Codex's words for the status of a step, and ours."""

_HEAD = re.compile(
    r"(?:Chunk ID: .*\n)?(?:Exit code: (?P<exit>-?\d+)\n)?(?:Wall time: .*\n)?"
    r"(?:Process exited with code (?P<code>-?\d+)\n|Process running with session ID (?P<id>\d+)\n)?"
    r"(?:Original token count: \d+\n)?Output:\n?"
)
_PASSING = re.compile(
    r"\A(?:Chunk ID: .*\n)?(Exit code: .*\n)?(?:Wall time: .*\n)?(Process .*\n)?"
    r"(?:Original token count: \d+\n)?(?=Output:)"
)
_TODAY = re.compile(r"<(current_date|timezone)>[^<]*</\1>")
_READ = re.compile(r"cat (?:-- )?(\S+)")

Ours = tuple[str, dict[str, Any]]


def is_context(message: Message) -> bool:
    """Whether Codex, and not the user, says it."""
    if message["role"] in ("system", "developer"):
        return True
    return message["role"] == "user" and bool(CONTEXT.match(content_text(message)))


def result_of(output: str, measured: bool = True) -> ToolResult:
    """What a tool gave back, in the form of our tools: an exit code other than 0 is told.

    measured: times in it are made equal. A text without Codex's head is a refusal.
    """
    found = _HEAD.match(output)
    if not found or not (found["exit"] or found["code"] or found["id"]):
        known = output.strip() == "Plan updated"
        return ToolResult(output if known else f"error: {output.strip()}", ok=known, raw=output)
    text = output[found.end() :]
    text = normalise(text) if measured else text
    code = int(found["exit"] or found["code"] or 0)
    if found["exit"] and code:
        return ToolResult(f"error: {text.strip()}", ok=False, raw=output)
    if found["id"]:
        text += f"still running (session {found['id']})\n"
    if code:
        text += ("" if not text or text.endswith("\n") else "\n") + f"exit code {code}\n"
    return ToolResult(text or "(no output)", ok=code == 0, raw=output)


def steady(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry of a request of Codex without what differs from run to run and means nothing.

    That is the head of a tool's result, as far as it is no exit code or session, times that
    commands measured, and the date. entry: a message, an item of the Responses API, or a tool.
    """
    name = "output" if "output" in entry else "content"
    text = entry.get(name)
    if not isinstance(text, str):
        return entry
    if entry.get("role") == "tool" or name == "output":
        return {**entry, name: normalise(_PASSING.sub(r"\1\2", text))}
    if text.lstrip().startswith("<environment_context>"):
        return {**entry, name: _TODAY.sub("", text)}
    return entry


def read_path(command: str) -> str | None:
    """The file that a plain `cat FILE` shows; None for any other command."""
    found = _READ.fullmatch(command.strip())
    if not found:
        return None
    try:
        words = shlex.split(found[1])
    except ValueError:
        return None
    plain = len(words) == 1 and not re.search(r"[$`*?\[{~;&|<>()\\]", words[0])
    return workspace_path(words[0]) if plain else None


def ours(name: str, arguments: str) -> list[Ours]:
    """A call of Codex as calls of our tools: one, or one for each change of a patch."""
    try:
        given = json.loads(arguments)
    except (ValueError, RecursionError):
        given = None
    given = given if isinstance(given, dict) else {}
    if name == "exec_command" and isinstance(given.get("cmd"), str):
        return [_command(given["cmd"], given.get("workdir"))]
    if name == "apply_patch" and isinstance(given.get(INPUT), str):
        try:
            return [_change(change) for change in read_patch(given[INPUT])] or [_other(name, given)]
        except ValueError:
            return [_other(name, given)]
    if name == "update_plan" and isinstance(given.get("plan"), list):
        return [("update_plan", {"items": [_step(step) for step in given["plan"]]})]
    return [_other(name, given or arguments)]


def _command(command: str, folder: Any) -> Ours:
    path = read_path(command)
    if folder and workspace_path(str(folder)) not in (".", "/work"):
        return "run", {"command": f"cd {shlex.quote(str(folder))} && {command}"}
    return ("run", {"command": command}) if path is None else ("read_file", {"path": path})


def _change(change: FileChange) -> Ours:
    path = workspace_path(change.path)
    if change.before is None:
        return "write_file", {"path": path, "content": change.after or ""}
    if change.after is None:
        return "run", {"command": f"rm {shlex.quote(path)}"}
    if change.moved and change.before == change.after:
        return "run", {"command": f"mv {shlex.quote(path)} {shlex.quote(change.moved)}"}
    return "edit_file", {"path": path, "old": change.before, "new": change.after}


def _step(step: Any) -> dict[str, str]:
    step = step if isinstance(step, dict) else {}
    status = PLAN.get(str(step.get("status")), "todo")
    return {"text": str(step.get("step") or ""), "status": status}


def _other(name: str, given: Any) -> Ours:
    """A tool that we have not: told as a command that does nothing, so that it is seen."""
    shown = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    return "run", {"command": f": codex {name} {shlex.quote(shown)}"}


def our_message(
    reply: Message, outputs: dict[str, str], name: str
) -> tuple[Message, dict[str, ToolResult]]:
    """A reply of the model to Codex as a message with our calls, and their results by id.

    outputs: what Codex sent back, by its call's id. name: what our ids begin with. A reply without
    calls ends Codex's turn: where it says that all is done, it is our `finish`.
    """
    text = content_text(reply)
    results: dict[str, ToolResult] = {}
    calls: list[dict[str, Any]] = []
    for call in reply.get("tool_calls") or []:
        output = outputs.get(call["id"], "no result")
        for tool, args in ours(call["function"]["name"], call["function"]["arguments"]):
            calls.append(_call(f"{name}_{len(calls)}", tool, args))
            result = result_of(output, measured=tool != "read_file")
            results[calls[-1]["id"]] = _as_of(tool, result)
    if not calls and _finished(text):
        calls.append(_call(f"{name}_0", "finish", {"message": text}))
        results[calls[0]["id"]] = ToolResult("", ok=True)
    message: Message = {"role": "assistant", "content": text or (None if calls else "")}
    if calls:
        message["tool_calls"] = calls
    return message, results


def _as_of(tool: str, result: ToolResult) -> ToolResult:
    """A failed `cat` is an error of `read_file`, not a command that ended with 1."""
    if tool == "run" or result.ok or result.text.startswith("error: "):
        return result
    return replace(result, text=f"error: {result.text.strip()}")


def _call(name: str, tool: str, args: dict[str, Any]) -> dict[str, Any]:
    function = {"name": tool, "arguments": json.dumps(args, ensure_ascii=False)}
    return {"id": name, "type": "function", "function": function}


def _finished(text: str) -> bool:
    return claims_finished(Turn(0, text, (), {}, Usage())) and not QUESTION.search(text)


def said(messages: Sequence[Message]) -> list[Message]:
    """What was said to the model beside Codex's own context, each as one text."""
    return [
        {"role": message["role"], "content": content_text(message)}
        for message in messages
        if message["role"] in ("user", "assistant") and not is_context(message)
    ]
