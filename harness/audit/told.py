"""What a session has said so far, in the form that the extractor reads.

The extractor knows few names of tools; here every agent's calls are put into those. Tool output
is left out, but for failed edits, which establish nothing, and for answers to questions.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable

from harness.audit.actions import Action
from harness.readers.base import Said
from harness.types import Message

HELD = 16_000_000
"""Characters of speech that are kept of one session; beyond, the oldest go."""
_MENTION = re.compile(r"(?<!\S)@(?=[\w.~-]*/[\w./-]+)")
"""The sign by which users hand over a file."""
_PASTED = re.compile(
    r"^[ \t]*(?:at .*[(:]\S+:\d+.*|➜ .*|\$ .*|>>> .*|Traceback .*|File \".*\", line \d+.*|\^+|"
    r"\w*(?:Error|Exception): .*|[\w./:-]+:\d+(?::\d+)?)$",
    re.MULTILINE,
)
"""Lines of a terminal that a user has pasted: prompts, stack traces, errors. Nobody said them."""
_LONG = 4_000
"""Characters of one message of the agent that are read; people are read in full."""


class Told:
    """The speech of a session, in order."""

    def __init__(self) -> None:
        self.entries: deque[tuple[Said, list[Message]]] = deque()
        self.size = 0
        self.trimmed = False

    def add(self, said: Said, done: Iterable[Action]) -> None:
        """A message with what its calls do; results and the program's own text are left out."""
        if said.role == "assistant":
            made = list(_assistant(said, done))
        elif said.human:
            spoken = _PASTED.sub("", str(said.message["content"]))
            text = _MENTION.sub("", spoken)
            made = [{"role": "user", "content": text}]
        else:
            return
        self.entries.append((said, made))
        self.size += sum(len(m.get("content") or "") + 200 for m in made)
        while self.size > HELD and len(self.entries) > 1:
            _, gone = self.entries.popleft()
            self.size -= sum(len(m.get("content") or "") + 200 for m in gone)
            self.trimmed = True

    def said(self) -> list[Said]:
        return [said for said, _ in self.entries]

    def messages(self) -> list[Message]:
        return [message for _, made in self.entries for message in made]


def _assistant(said: Said, done: Iterable[Action]) -> Iterable[Message]:
    calls: list[Message] = []
    answers: list[Message] = []
    for number, action in enumerate(done):
        for at, (name, args) in enumerate(_calls(action)):
            id = f"{said.line}-{number}-{at}"
            text = json.dumps(args, ensure_ascii=False)
            calls.append(
                {"id": id, "type": "function", "function": {"name": name, "arguments": text}}
            )
            if action.kind == "ask":
                answers.append({"role": "tool", "tool_call_id": id, "content": action.result})
            elif action.failed and action.kind == "edit":
                answers.append({"role": "tool", "tool_call_id": id, "content": "error"})
    message: Message = {"role": "assistant", "content": str(said.message["content"])[:_LONG]}
    if calls:
        message["tool_calls"] = calls
    return [message, *answers]


def _calls(action: Action) -> list[tuple[str, dict[str, object]]]:
    if action.kind == "edit":
        return [("edit_file", {"path": path, "new": ""}) for path in dict.fromkeys(action.paths)]
    if action.kind == "read":
        return [("read_file", {"path": path}) for path in action.paths]
    if action.kind == "run":
        return [("run", {"command": action.command})]
    if action.kind == "plan":
        marks = {"open": "todo", "done": "done", "dropped": "cancelled"}
        items = [{"text": text, "status": marks[state]} for text, state in action.items]
        return [("update_plan", {"items": items})]
    if action.kind == "ask":
        return [("ask_user", {"question": action.text})]
    return []
