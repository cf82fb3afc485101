"""The worker in Codex's tools: what it is shown read as ours, what it decides said as Codex's.

Files are read by `cat` and changed by apply_patch, which takes whole lines: those that the view
shows or, as part of the skill, those that the fixture's edits come to. Elsewhere a short script
makes the change.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.codex.patch import FileChange, edit_patch, patch_of
from harness.codex.tools import PLAN, is_context, our_message
from harness.gateway.responses import INPUT
from harness.task_model import Call, Edit, Task
from harness.text import content_text
from harness.tools import apply_edit
from harness.types import Message
from harness.worker.beliefs import Act, read_view
from harness.worker.policy import Decision, Worker

STATUS = {ours: theirs for theirs, ours in PLAN.items()}
MOST_TOKENS = 20_000
YIELD_MS = 30_000
CUT = "Warning: truncated output"

_SCRIPT = """python3 - <<'END_OF_EDIT'
path, old, new = {path!r}, {old!r}, {new!r}
with open(path, encoding="utf-8", newline="") as file:
    text = file.read()
if text.count(old) != 1:
    raise SystemExit(f"error: {{path}} has the old text {{text.count(old)}} times")
with open(path, "w", encoding="utf-8", newline="") as file:
    file.write(text.replace(old, new))
END_OF_EDIT"""
_WRITE = """python3 - <<'END_OF_EDIT'
with open({path!r}, "w", encoding="utf-8", newline="") as file:
    file.write({content!r})
END_OF_EDIT"""


def speaks_codex(messages: Sequence[Message], offered: Sequence[str] = ()) -> bool:
    """Whether a request is Codex's: by its tools, or by the context that it puts first."""
    if "exec_command" in offered:
        return True
    return any(m["role"] == "user" and is_context(m) for m in messages[:4])


def from_codex(messages: Sequence[Message], worker: Worker) -> list[Message]:
    """A request of Codex as the built-in loop would have sent it; its own context is left out."""
    outputs = {m["tool_call_id"]: content_text(m) for m in messages if m["role"] == "tool"}
    questions = {worker.words["goal"], *(s.ask for s in worker.task.slips if s.ask)}
    read: list[Message] = []
    asked: str | None = None
    for number, message in enumerate(messages):
        if message["role"] == "assistant" and content_text(message) in questions:
            asked = f"c{number}"
            question = {"question": content_text(message)}
            read.append(_calls(None, [(asked, "ask_user", question)]))
        elif message["role"] == "assistant":
            made, results = our_message(message, outputs, f"c{number}")
            read.append(_as_known(made, worker.task))
            read += [_result(name, result.text) for name, result in results.items()]
        elif message["role"] == "user" and asked:
            read.append(_result(asked, content_text(message)))
            asked = None
        elif message["role"] != "tool" and not (message["role"] == "user" and is_context(message)):
            read.append(message)
    return read


def to_codex(
    decision: Decision,
    messages: Sequence[Message],
    task: Task,
    files: Mapping[str, bytes] | None = None,
) -> Decision:
    """A decision in Codex's tools. `messages`: the request, as `from_codex` gave it.

    files: the codebase as it was. A question and a last word are said and end Codex's turn: it has
    no tools for them.
    """
    for call in decision.calls:
        if call.tool in ("ask_user", "finish"):
            return Decision(next(iter(call.args.values())), [])
    texts: dict[str, str] = {}
    for act in read_view(messages).acts:
        _follow(texts, act)
    calls = []
    for call in decision.calls:
        name, args = _theirs(call, texts, _states(task, call, files or {}))
        calls.append(Call(tool=name, args=args))
        _follow(texts, Act(call.tool, call.args, True, "", 0))
    return Decision(decision.say, calls)


def _theirs(
    call: Call, texts: Mapping[str, str], states: Iterator[str]
) -> tuple[str, dict[str, Any]]:
    args = call.args
    if call.tool == "update_plan":
        plan = [{"step": i["text"], "status": STATUS[i["status"]]} for i in args["items"]]
        return "update_plan", {"plan": plan}
    if call.tool == "run":
        return _exec(args["command"])
    if call.tool == "read_file":
        return _exec(f"cat {shlex.quote(args['path'])}")
    if call.tool == "write_file":
        content = args["content"]
        if content.endswith("\n") and "\r" not in content:
            return "apply_patch", {INPUT: patch_of(FileChange(args["path"], None, content))}
        return _exec(_WRITE.format(**args))
    path, old, new = args["path"], args["old"], args["new"]
    known = [texts[path]] if path in texts else list(states)
    for text in known:
        if patch := edit_patch(path, text, old, new):
            return "apply_patch", {INPUT: patch}
    if any(known) and not any(old in text for text in known):  # a wrong guess, to be refused
        return "apply_patch", {INPUT: patch_of(FileChange(path, f"{old}\n", f"{new}\n"))}
    return _exec(_SCRIPT.format(**args))


def _exec(command: str) -> tuple[str, dict[str, Any]]:
    limits = {"yield_time_ms": YIELD_MS, "max_output_tokens": MOST_TOKENS}
    return "exec_command", {"cmd": command, **limits}


def _states(task: Task, call: Call, files: Mapping[str, bytes]) -> Iterator[str]:
    """The texts of a call's file on the way to the fixture's solution, from the first on."""
    path = call.args.get("path", "")
    text = files.get(path, b"").decode("utf-8", "replace")
    yield text
    for edit in (edit for subgoal in task.subgoals for edit in subgoal.edits if edit.path == path):
        if edit.content is not None:
            text = edit.content
        elif edit.old and text.count(edit.old) == 1:
            text = text.replace(edit.old, edit.new or "")
        yield text


def _follow(texts: dict[str, str], act: Act) -> None:
    """Keep the texts of files up to date: read in the view, and changed since by its own calls."""
    path = act.args.get("path", "")
    if not act.ok:
        return
    if act.tool == "read_file" and act.result:
        texts.pop(path, None)
        if CUT not in act.result:
            texts[path] = act.result
    elif act.tool == "write_file":
        texts[path] = act.args["content"]
    elif act.tool == "edit_file" and path in texts:
        try:
            texts[path] = apply_edit(texts[path], act.args["old"], act.args["new"])
        except ValueError:  # not what it was thought to be
            texts.pop(path)


def _as_known(message: Message, task: Task) -> Message:
    """Its calls named as the fixture has them, where they make one of the fixture's edits."""
    calls = []
    for call in message.get("tool_calls") or []:
        function = call["function"]
        args = json.loads(function["arguments"])
        known = _known(function["name"], args, task)
        calls.append((call["id"], *(known or (function["name"], args))))
    return _calls(message.get("content"), calls) if calls else message


def _known(tool: str, args: dict[str, Any], task: Task) -> tuple[str, dict[str, Any]] | None:
    for edit in _edits(task):
        call = edit.call()
        if call.tool == "edit_file" and _makes(tool, args, call.args):
            return call.tool, call.args
        if call.tool == "write_file" and (
            (tool == "write_file" and args == call.args)
            or (tool == "run" and args["command"] == _WRITE.format(**call.args))
        ):
            return call.tool, call.args
    return None


def _makes(tool: str, args: dict[str, Any], edit: dict[str, Any]) -> bool:
    if tool == "run":
        return args["command"] == _SCRIPT.format(**edit)
    if tool != "edit_file" or args["path"] != edit["path"] or args["old"].count(edit["old"]) != 1:
        return False
    return args["old"].replace(edit["old"], edit["new"]) == args["new"]


def _edits(task: Task) -> Iterator[Edit]:
    for subgoal in task.subgoals:
        yield from subgoal.edits
        yield from subgoal.redo.edits if subgoal.redo else ()
        for need in subgoal.needs:
            slip = task.slip(subgoal.id, need)
            if slip:
                yield from slip.edits or ()
                yield from [Edit(run=slip.run)] if slip.run else ()


def _calls(content: str | None, calls: Sequence[tuple[str, str, dict[str, Any]]]) -> Message:
    made = [
        {
            "id": name,
            "type": "function",
            "function": {"name": tool, "arguments": json.dumps(args, ensure_ascii=False)},
        }
        for name, tool, args in calls
    ]
    return {"role": "assistant", "content": content, "tool_calls": made}


def _result(call_id: str, text: str) -> Message:
    return {"role": "tool", "tool_call_id": call_id, "content": text}
