"""Gemini CLI chats: one document, or JSON Lines with `$set` and `$rewindTo`."""

from __future__ import annotations

import re
from typing import Any

from harness.readers.base import Reader, Said, Session, call
from harness.readers.shapes import exit_code, rows, table, text_of, usage, when, whole, words
from harness.readers.source import Head, Source

_TYPES = {"user", "gemini"}
_SNAPSHOT = re.compile(r"<state_snapshot\b")
_COMPRESSED = re.compile(
    r"context compressed|chat history compressed|compressed from:? ?\d+ (?:to \d+ )?tokens|"
    r"compressed from \d+\s?%",
    re.I,
)


class GeminiReader(Reader):
    """Compression leaves no record of its own: a replaced history, and a line for the screen."""

    name = "gemini"
    shape = None

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.meta: dict[str, Any] = {}
        self.started = False
        self.waiting: tuple[int, dict[str, Any]] | None = None
        self.length_at: dict[str, int] = {}
        self.told: tuple[int, str] | None = None
        self.just_marked = False

    @classmethod
    def claims(cls, head: Head) -> bool:
        if "projectHash" in head.keys and ("messages" in head.keys or head.lines):
            return True
        first = table(head.members.get("messages"))
        if "sessionId" in head.keys and words(first.get("type")) in _TYPES:
            return True
        return any("$set" in r or "$rewindTo" in r for r in head.records) or any(
            r.get("type") == "gemini" and "id" in r for r in head.records
        )

    def record(self, number: int, key: str, value: Any) -> None:
        if key == "messages":
            self._next(number, table(value))
        elif key:
            self.meta[key] = value if isinstance(value, str) else None
        elif "$rewindTo" in value:
            self._rewind(words(value["$rewindTo"]))
        elif "$set" in value:
            self._set(table(value["$set"]), number)
        elif "type" in value:
            self._next(number, value)
        else:
            self.meta.update({k: v for k, v in value.items() if isinstance(v, str)})
            for message in rows(value.get("messages")):
                self._next(number, table(message))

    def finish(self) -> None:
        self._settle()
        if self.told:
            self._unseen()
        super().finish()
        self.started, self.meta = False, {}

    def _begin(self, time: str) -> None:
        self.started = True
        self.to.start(
            Session(
                id=words(self.meta.get("sessionId")) or self.source.path.stem,
                format=self.name,
                agent="gemini-cli",
                version=words(self.meta.get("version")),
                started=words(self.meta.get("startTime")) or time,
            )
        )

    def _next(self, number: int, message: dict[str, Any]) -> None:
        """A message is written again as it grows: it counts when another follows."""
        if self.waiting and self.waiting[1].get("id") != message.get("id"):
            self._settle()
        self.waiting = number, message

    def _settle(self) -> None:
        waiting, self.waiting = self.waiting, None
        if not waiting:
            return
        number, message = waiting
        time = when(message.get("timestamp"))
        if not self.started:
            self._begin(time)
        name = words(message.get("id"))
        if name and len(self.length_at) < 200_000:
            self.to.flush()
            self.length_at[name] = len(self.to.view)
        self._message(number, message, time)

    def _message(self, number: int, message: dict[str, Any], time: str) -> None:
        kind, text = message.get("type"), text_of(message.get("content"))
        if kind == "user":
            self.to.say("user", text, number, time=time, human=not _SNAPSHOT.search(text))
        elif kind == "gemini":
            if self.told:
                self._unseen()
            self.just_marked = False
            self._reply(number, message, text, time)
        elif kind == "info" and _COMPRESSED.search(text):
            if not self.just_marked:
                self.told = (number, time)
            self.just_marked = False
        elif kind not in ("info", "warning", "error"):
            self.source.skip(kind)

    def _reply(self, number: int, message: dict[str, Any], text: str, time: str) -> None:
        calls = [c for c in map(table, rows(message.get("toolCalls")))]
        counts = table(message.get("tokens"))
        output = (whole(counts.get("output")) or 0) + (whole(counts.get("thoughts")) or 0)
        made = [call(c.get("id"), c.get("name"), c.get("args")) for c in calls]
        spent = usage(counts.get("input"), counts.get("cached"), output)
        self.to.reply(text, made, number, time=time, usage=spent, key=f"message {number}")
        for part in calls:
            output_text = _result(part.get("result")) or text_of(part.get("resultDisplay"))
            code = exit_code(output_text)
            failed = part.get("status") in ("error", "cancelled") or (code not in (None, 0))
            self.to.result(words(part.get("id")), output_text, number, time=time, failed=failed)

    def _set(self, values: dict[str, Any], number: int) -> None:
        """New values; a `messages` list among them replaces everything before it."""
        if not isinstance(values.get("messages"), list):
            self.meta.update({k: v for k, v in values.items() if isinstance(v, str)})
            return
        self._settle()
        if not self.started:
            self._begin("")
        self.to.flush()
        after = [s for m in values["messages"] for s in self._remade(table(m), number)]
        summary = next((t for t in map(_content, after) if _SNAPSHOT.search(t)), "")
        fresh = summary and all(_content(said) != summary for said in self.to.view)
        if fresh or self.told:
            line, time = self.told or (number, "")
            unread = "" if summary else "the file holds no snapshot"
            self.to.mark(line, after or None, time=time, summary=summary, unread=unread)
            self.told, self.just_marked = None, True
        else:
            self.to.view[:] = after or self.to.view
        self.length_at = {}

    def _remade(self, message: dict[str, Any], number: int) -> list[Said]:
        time = when(message.get("timestamp"))
        kind, text = message.get("type"), text_of(message.get("content"))
        if kind not in _TYPES:
            return []
        said = self.to.made("user" if kind == "user" else "assistant", text, number, time=time)
        said.human = kind == "user" and not _SNAPSHOT.search(text)
        calls = [
            call(c.get("id"), c.get("name"), c.get("args"))
            for c in map(table, rows(message.get("toolCalls")))
        ]
        if calls:
            said.message["tool_calls"] = calls
        return [said]

    def _unseen(self) -> None:
        """The screen told of a compression, and the file does not show its result."""
        line, time = self.told or (0, "")
        self.told = None
        self.to.mark(line, None, time=time, unread="the file holds no snapshot")

    def _rewind(self, name: str) -> None:
        self._settle()
        if name in self.length_at:
            self.to.back(self.length_at[name])


def _content(said: Said) -> str:
    return str(said.message.get("content") or "")


def _result(value: Any) -> str:
    texts = []
    for part in rows(value):
        response = table(table(part).get("functionResponse")).get("response")
        texts.append(text_of(response) or text_of(part))
    return "\n".join(texts) if texts else text_of(value)
