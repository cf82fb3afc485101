"""Tool calls of any agent as a few kinds of action: run, edit, read, plan, ask."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.readers.base import Said
from harness.readers.shapes import rows, table, text_of, words
from harness.text import content_text

_RUN = {"bash", "shell", "exec_command", "run", "run_shell_command", "terminal", "execute_bash"}
_RUN |= {"local_shell", "run_command", "run_in_terminal", "execute_command", "powershell"}
_READ = re.compile(r"^(?:read|view|open|cat|read_file|read_many_files|notebookread|readfile)$")
_EDIT = re.compile(r"edit|write|replace|patch|insert|create_file|str_replace|update_file")
_PLAN = {"todowrite", "todo_write", "update_plan", "write_todos", "task_tracker", "todo"}
_ASK = {"askuserquestion", "ask_user", "request_user_input", "ask_followup_question", "question"}
_FINISH = {"finish", "submit", "attempt_completion", "task_done"}
_PATHS = ("path", "file_path", "filePath", "filename", "file", "notebook_path", "absolute_path")
_OLD = ("old", "old_string", "oldString", "old_str", "oldText")
_NEW = ("new", "new_string", "newString", "new_str", "newText", "content", "file_text", "insert")
_PATCH_FILE = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (.+)$|^\*\*\* Move to: (.+)$", re.M)
_DONE = {"done", "completed", "complete"}
_DROPPED = {"cancelled", "canceled", "dropped", "deleted"}
_TASK_NUMBER = re.compile(r"#?(\d+)")


@dataclass(frozen=True)
class Action:
    """One tool call. changes: (path, old, new) of each edit; old is None for a whole file.

    items: a plan's (text, open | done | dropped). failed: None where it cannot be told.
    """

    kind: str
    said: Said
    name: str
    command: str = ""
    paths: tuple[str, ...] = ()
    changes: tuple[tuple[str, str | None, str], ...] = ()
    items: tuple[tuple[str, str], ...] = ()
    text: str = ""
    failed: bool | None = None
    result: str = ""


@dataclass
class _Tasks:
    """Plan items that are made and changed by single calls."""

    held: dict[str, tuple[str, str]] = field(default_factory=dict)


def actions(said: Sequence[Said], cwd: str = "") -> list[Action]:
    """The calls in the messages, in order, each with its result. Paths are relative to `cwd`."""
    results = {str(s.message["tool_call_id"]): s for s in said if s.role == "tool"}
    tasks = _Tasks()
    return [action for one in said for action in _of(one, results, tasks, cwd)]


def calls_of(said: Said) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(id, name, arguments) of the calls in a message."""
    for given in said.message.get("tool_calls") or ():
        function = table(given.get("function"))
        try:
            arguments = json.loads(function.get("arguments") or "{}")
        except (ValueError, TypeError):
            arguments = {}
        yield words(given.get("id")), words(function.get("name")), table(arguments)


def _of(said: Said, results: dict[str, Said], tasks: _Tasks, cwd: str) -> Iterator[Action]:
    for id, name, args in calls_of(said):
        result = results.get(id)
        told = {
            "said": said,
            "name": name,
            "failed": result.failed if result else None,
            "result": content_text(result.message) if result else "",
        }
        yield _action(name, args, told, tasks, cwd)


def _action(
    name: str, args: dict[str, Any], told: dict[str, Any], tasks: _Tasks, cwd: str
) -> Action:
    plain = name.lower().rsplit("__", 1)[-1].replace("-", "_")
    paths = tuple(relative(words(args[k]), cwd) for k in _PATHS if isinstance(args.get(k), str))
    items = _plan(plain, args, told["result"], tasks)
    command = _command(args)
    patch = _patch(args, command)
    if items is not None:
        return Action("plan", items=tuple(items), **told)
    if plain in _ASK:
        return Action("ask", text=_question(args), **told)
    if patch:
        changes = tuple(_patched(patch, cwd))
        return Action("edit", paths=tuple(c[0] for c in changes), changes=changes, **told)
    if plain in _RUN or (command and not paths):
        return Action("run", command=command, **told)
    if paths and (_READ.match(plain) or command == "view"):
        return Action("read", paths=paths[:1], **told)
    if paths and (_EDIT.search(plain) or any(k in args for k in _NEW)):
        return Action("edit", paths=paths[:1], changes=tuple(_changes(args, paths[0])), **told)
    if plain in _FINISH:
        return Action("finish", text=text_of(args.get("message") or args.get("result")), **told)
    return Action("other", paths=paths, **told)


def relative(path: str, cwd: str) -> str:
    """The path as seen from the session's folder, with plain slashes."""
    path = path.replace("\\", "/").removeprefix("file://")
    root = cwd.replace("\\", "/").rstrip("/")
    if root and path.startswith(root + "/"):
        path = path[len(root) + 1 :]
    return path.removeprefix("./")


def _command(args: dict[str, Any]) -> str:
    for key in ("command", "cmd", "script", "keystrokes"):
        value = args.get(key)
        if isinstance(value, list):
            value = " ".join(part for part in value if isinstance(part, str))
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


def _patch(args: dict[str, Any], command: str) -> str:
    for key in ("input", "patch", "diff"):
        if "*** Begin Patch" in str(args.get(key) or ""):
            return str(args[key])
    return command if "*** Begin Patch" in command else ""


def _patched(patch: str, cwd: str) -> Iterator[tuple[str, str | None, str]]:
    """Each file of a patch with the lines it takes away and the lines it brings."""
    pieces = _PATCH_FILE.split(patch)
    for at in range(1, len(pieces) - 2, 3):
        path = (pieces[at] or pieces[at + 1] or "").strip()
        lines = pieces[at + 2].split("\n")
        old = "\n".join(line[1:] for line in lines if line.startswith("-"))
        new = "\n".join(line[1:] for line in lines if line.startswith("+"))
        yield relative(path, cwd), old, new


def _changes(args: dict[str, Any], path: str) -> Iterator[tuple[str, str | None, str]]:
    edits = [e for e in rows(args.get("edits")) if isinstance(e, dict)] or [args]
    for edit in edits:
        old = next((edit[k] for k in _OLD if isinstance(edit.get(k), str)), None)
        new = next((edit[k] for k in _NEW if isinstance(edit.get(k), str)), "")
        yield path, old, new


def _plan(
    name: str, args: dict[str, Any], result: str, tasks: _Tasks
) -> list[tuple[str, str]] | None:
    """The whole plan after a call that sets or changes it; None for other calls."""
    if name == "taskcreate":
        found = _TASK_NUMBER.search(result)
        number = found.group(1) if found else str(len(tasks.held) + 1)
        tasks.held[number] = (words(args.get("subject") or args.get("description")), "open")
        return list(tasks.held.values())
    if name == "taskupdate":
        number = str(args.get("taskId") or args.get("id") or "")
        text = words(args.get("subject")) or tasks.held.get(number, ("", ""))[0]
        if text and "status" in args:
            tasks.held[number] = (text, status(args.get("status")))
        return list(tasks.held.values())
    if name not in _PLAN:
        return None
    listed = next((args[k] for k in ("todos", "plan", "items", "task_list") if k in args), None)
    return [_item(one) for one in rows(listed)]


def _item(item: Any) -> tuple[str, str]:
    given = table(item)
    texts = (given.get(k) for k in ("content", "step", "text", "title", "description"))
    text = next(
        (t for t in texts if isinstance(t, str) and t), item if isinstance(item, str) else ""
    )
    return words(text), status(given.get("status"))


def status(value: Any) -> str:
    """open, done or dropped."""
    name = str(value).lower()
    return "done" if name in _DONE else "dropped" if name in _DROPPED else "open"


def _question(args: dict[str, Any]) -> str:
    asked = [text_of(table(q).get("question")) for q in rows(args.get("questions"))]
    return "\n".join(q for q in asked if q) or text_of(args.get("question") or args.get("text"))
