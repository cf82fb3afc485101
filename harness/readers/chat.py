"""Message lists in the OpenAI chat format, and mini-swe-agent, which writes such lists."""

from __future__ import annotations

import re
from typing import Any

from harness.readers.base import Reader, Session, call
from harness.readers.shapes import exit_code, parsed, rows, table, text_of, usage, when, words
from harness.readers.source import Head, Source

_ROLES = {"system", "developer", "user", "assistant", "tool", "function", "exit"}
_BLOCK = re.compile(r"```(?:mswea_bash_command|bash)\s*\n(.*?)\n```", re.DOTALL)
_OBSERVED = re.compile(r"\s*<(?:returncode|output|observation|warning)|\s*Observation:", re.I)


class ChatReader(Reader):
    """A list, {"messages": [...]}, a message a line, or {"messages": [...]} a line."""

    name = "chat"
    shape = None
    agent = "unknown"

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.started = False
        self.asked = ""

    @classmethod
    def claims(cls, head: Head) -> bool:
        listed = (head.members.get("messages"), head.members.get(""))
        if any(_message(one) for one in listed):
            return True
        return any(
            _message(r) or _message((rows(r.get("messages")) or [0])[0]) for r in head.records
        )

    def record(self, number: int, key: str, value: Any) -> None:
        if isinstance(value, dict) and isinstance(value.get("messages"), list) and not key:
            self.started = False
            self._begin(words(value.get("id")) or f"{self.source.path.stem}:{number}")
            for message in value["messages"]:
                self._say(table(message), number)
        elif key in ("", "messages"):
            self._begin(self.source.path.stem)
            self._say(table(value), number)

    def finish(self) -> None:
        super().finish()
        self.started = False

    def _begin(self, name: str) -> None:
        if not self.started:
            self.started = True
            self.to.start(Session(name, self.name, self.agent, version=self._version()))

    def _version(self) -> str:
        return ""

    def _say(self, message: dict[str, Any], number: int) -> None:
        role, text = message.get("role"), text_of(message.get("content"))
        extra = table(message.get("extra"))
        time = when(message.get("timestamp") or extra.get("timestamp"))
        if role == "assistant":
            self._reply(message, extra, text, number, time)
        elif role in ("tool", "function"):
            self._result(words(message.get("tool_call_id")), text, number, time)
        elif role == "user" and self.asked and _OBSERVED.match(text):
            self._result(self.asked, text, number, time)
        elif role in ("user", "system", "developer", "exit"):
            kind = "user" if role == "user" else "system"
            self.to.say(kind, text, number, time=time, human=role == "user")
        else:
            self.source.skip(f"role {role}")
        if role != "assistant":
            self.asked = ""

    def _reply(
        self, message: dict[str, Any], extra: dict[str, Any], text: str, number: int, time: str
    ) -> None:
        made = []
        for given in map(table, rows(message.get("tool_calls"))):
            function = table(given.get("function"))
            arguments = parsed(function.get("arguments"))
            made.append(call(given.get("id"), function.get("name"), arguments))
        block = _BLOCK.search(text)
        if not made and block:
            self.asked = f"message {number}"
            made = [call(self.asked, "run", {"command": block.group(1)})]
        counts = table(table(extra.get("response")).get("usage"))
        spent = usage(counts.get("prompt_tokens"), 0, counts.get("completion_tokens"))
        key = f"{number}:{self.to.turn}:{len(self.to.view)}"
        self.to.reply(text, made, number, time=time, usage=spent, key=key)
        self.to.flush() if not made else None

    def _result(self, name: str, text: str, number: int, time: str) -> None:
        code = exit_code(text)
        self.to.result(name, text, number, time=time, failed=None if code is None else code != 0)


class MiniSweAgentReader(ChatReader):
    """mini-swe-agent: a bare list in old versions, later a document around it. It has no seams."""

    name = "mini-swe-agent"
    shape = "document"
    agent = "mini-swe-agent"

    @classmethod
    def claims(cls, head: Head) -> bool:
        told = head.members.get("trajectory_format")
        if isinstance(told, str) and told.startswith("mini-swe-agent"):
            return True
        if "mini_version" in table(head.members.get("info")):
            return True
        first = table(head.members.get("")) or table(head.members.get("messages"))
        return first.get("role") == "system" and "mswea_" in text_of(first.get("content"))

    def _version(self) -> str:
        return words(table(self.source.head.members.get("info")).get("mini_version"))


def _message(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and words(value.get("role")) in _ROLES
        and ("content" in value or "tool_calls" in value)
    )
