"""SWE-agent trajectories: `history` where it is there, else `trajectory`. They hold no seams."""

from __future__ import annotations

from typing import Any

from harness.readers.base import Reader, Session, call
from harness.readers.shapes import parsed, rows, table, text_of, words
from harness.readers.source import Head, Source

STEPS = 20_000
"""Steps that are kept until it is known whether a history follows."""


class SweAgentReader(Reader):
    """What history processors left out at a query is not marked in these files."""

    name = "sweagent"
    shape = "document"

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.started = False
        self.steps: list[tuple[int, str, str, str]] = []
        self.calls: list[str] = []
        self.environment = ""

    @classmethod
    def claims(cls, head: Head) -> bool:
        step = table(head.members.get("trajectory"))
        told = table(head.members.get("history"))
        return bool({"action", "observation"} & set(step)) or (
            "role" in told and ("agent" in told or "message_type" in told)
        )

    def record(self, number: int, key: str, value: Any) -> None:
        if key == "environment":
            self.environment = words(value)
        elif key == "trajectory" and len(self.steps) < STEPS:
            step = table(value)
            said = text_of(step.get("response")) or text_of(step.get("thought"))
            action, seen = text_of(step.get("action")), text_of(step.get("observation"))
            self.steps.append((number, said[:20_000], action[:20_000], seen[:20_000]))
        elif key == "history":
            self._begin()
            self._history(table(value), number)

    def finish(self) -> None:
        if not self.started and self.steps:
            self._begin()
            for number, said, action, seen in self.steps:
                done = call(f"step {number}", "run", {"command": action})
                self.to.reply(said, [done], number, key=f"step {number}")
                self.to.result(f"step {number}", seen, number)
        super().finish()
        self.started, self.steps = False, []

    def _begin(self) -> None:
        if not self.started:
            self.started = True
            version = "1" if "replay_config" in self.source.head.keys else ""
            name = self.source.path.stem
            self.to.start(Session(name, self.name, "swe-agent", version=version))

    def _history(self, message: dict[str, Any], number: int) -> None:
        role, text = message.get("role"), text_of(message.get("content"))
        if role == "assistant":
            self._reply(message, text, number)
        elif role == "system" or message.get("is_demo") or message.get("message_type") == "demo":
            self.to.say("system", text, number)
        elif self.calls and (role == "tool" or role == "user"):
            for name in self.calls:
                self.to.result(name, text, number)
            self.calls = []
        elif role == "user":
            self.to.say("user", text, number, human=True)
        else:
            self.source.skip(f"role {role}")

    def _reply(self, message: dict[str, Any], text: str, number: int) -> None:
        made = []
        for given in map(table, rows(message.get("tool_calls"))):
            function = table(given.get("function"))
            arguments = parsed(function.get("arguments"))
            made.append(call(given.get("id"), function.get("name"), arguments))
        action = text_of(message.get("action"))
        if not made and action.strip():
            made = [call(f"message {number}", "run", {"command": action})]
        self.to.reply(text, made, number, key=f"message {number}")
        self.calls = [one["id"] for one in made]
