"""What a reader makes of a session file: messages, compactions, and what could not be read.

A reader is fed one record at a time and keeps no more than the current view, so a file of any size
is read in bounded memory. Messages are in the OpenAI chat format of the rest of the program.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from harness.readers.shapes import RESULT, SPEECH, clip, clipped, words
from harness.readers.source import Head, Source
from harness.types import Message, Usage

HELD = 32_000_000
"""Characters of a view that are kept: some 8M tokens, more than any model is shown."""
RESULTS = 1_000
"""Results that wait for a response to be complete."""
SHAPE_ERRORS = (AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError)
"""What a record of an unexpected shape leads to."""


@dataclass(frozen=True)
class Session:
    """A session begins. Empty text stands for what the file does not say."""

    id: str
    format: str
    agent: str
    version: str = ""
    model: str = ""
    cwd: str = ""
    started: str = ""
    parent: str = ""


@dataclass(eq=False)
class Said:
    """One message and where it stands.

    turn: number of the model response that it is or follows, 0 before the first. line: record of
    the file (`file` where it is another than the session's own). human: typed by a person.
    failed: whether a tool reported an error, None where it does not say. inherited: from a parent
    session, which is audited on its own.
    """

    message: Message
    turn: int
    line: int
    time: str = ""
    usage: Usage | None = None
    human: bool = False
    failed: bool | None = None
    inherited: bool = False
    file: str = ""

    @property
    def role(self) -> str:
        return str(self.message["role"])


@dataclass(frozen=True)
class Mark:
    """A compaction: the view before it and the view after it.

    after: None where it cannot be read at all; `unread` then says why. It also says why where only
    a part can be read (an encrypted summary beside readable messages). summary: the new text.
    trigger: auto, manual or unknown. key: what makes copies of this seam in other files the same.
    """

    number: int
    turn: int
    line: int
    before: tuple[Said, ...]
    after: tuple[Said, ...] | None
    time: str = ""
    trigger: str = "unknown"
    unread: str = ""
    summary: str = ""
    tokens_before: int | None = None
    tokens_after: int | None = None
    key: str = ""
    trimmed: bool = False


Item = Session | Said | Mark


@dataclass
class _Open:
    """A model response that may still grow, and the results that wait behind it."""

    key: str
    said: Said
    results: list[Said] = field(default_factory=list)


class Recorder:
    """Numbers turns and seams, joins the pieces of a response, keeps the current view."""

    def __init__(self) -> None:
        self.view: list[Said] = []
        self.turn = 0
        self.seams = 0
        self.inherited = False
        self.file = ""
        self._out: list[Item] = []
        self._open: _Open | None = None
        self._last: Said | None = None
        self._size = 0
        self._trimmed = False

    @property
    def length(self) -> int:
        """Messages in view, those of the open response included."""
        return len(self.view) + (1 + len(self._open.results) if self._open else 0)

    def take(self) -> list[Item]:
        """The items made since the last call."""
        items, self._out = self._out, []
        return items

    def start(self, session: Session) -> None:
        """A session begins; what came before is another's."""
        self.flush()
        self.view, self.turn, self.seams, self._size = [], 0, 0, 0
        self._trimmed = False
        self._out.append(session)

    def say(
        self, role: str, text: str, line: int, *, time: str = "", human: bool = False
    ) -> Said | None:
        """A user or system message; None where it is empty."""
        if not text.strip():
            return None
        self.flush()
        message: Message = {"role": role, "content": clip(text, SPEECH)}
        said = self._said(message, line, time=time, human=human and role == "user")
        self._add(said)
        return said

    def reply(
        self,
        text: str,
        calls: Sequence[Message],
        line: int,
        *,
        time: str = "",
        usage: Usage | None = None,
        key: str = "",
    ) -> Said:
        """A response of the model, or a further piece of the one before.

        It is the same response where `key` is the same, or without keys, no result came between.
        """
        current = self._open
        same = current and current.key == key and (bool(key) or not current.results)
        if not current or not same:
            self.flush()
            self.turn += 1
            said = self._said({"role": "assistant", "content": ""}, line, time=time)
            current = self._open = _Open(key, said)
            self._last = said
        message = current.said.message
        parts = (message["content"], clip(text, SPEECH))
        message["content"] = "\n\n".join(part for part in parts if part.strip())
        if calls:
            message.setdefault("tool_calls", []).extend(calls)
        current.said.usage = usage or current.said.usage
        return current.said

    def result(
        self, call: str, text: str, line: int, *, time: str = "", failed: bool | None = None
    ) -> Said:
        """The result of a tool call."""
        message = {"role": "tool", "tool_call_id": call, "content": clip(text, RESULT)}
        said = self._said(message, line, time=time, failed=failed)
        if self._open and len(self._open.results) >= RESULTS:
            self.flush()
        if self._open:
            self._open.results.append(said)
        else:
            self._add(said)
        return said

    def used(self, usage: Usage) -> None:
        """Tokens of the last response, told after it."""
        if self._last:
            self._last.usage = usage

    def flush(self) -> None:
        """The open response is complete."""
        current, self._open = self._open, None
        if current:
            for said in (current.said, *current.results):
                self._add(said)

    def back(self, length: int) -> None:
        """The view is cut back to its first messages: the user went back in the conversation."""
        self.flush()
        self._set_view(self.view[: max(0, length)])

    def made(self, role: str, text: str, line: int, *, time: str = "") -> Said:
        """A message of a view after a seam, not added to anything yet."""
        return self._said({"role": role, "content": clip(text, SPEECH)}, line, time=time)

    def mark(self, line: int, after: Sequence[Said] | None, **told: Any) -> None:
        """The view is replaced. `told`: fields of Mark. An inherited seam is its parent's."""
        self.flush()
        before = tuple(self.view)
        self._set_view([] if after is None else list(after))
        if not self.inherited:
            self.seams += 1
            seen = None if after is None else tuple(after)
            mark = Mark(self.seams, self.turn, line, before, seen, **told)
            self._out.append(replace(mark, trimmed=self._trimmed))
        self._trimmed = False

    def _said(self, message: Message, line: int, **told: Any) -> Said:
        inherited, file = self.inherited, self.file
        return Said(message, self.turn, line, inherited=inherited, file=file, **told)

    def _add(self, said: Said) -> None:
        self.view.append(said)
        self._out.append(said)
        self._size += _length(said)
        if self._size > HELD:
            self._set_view(self.view[len(self.view) // 4 + 1 :])
            self._trimmed = True

    def _set_view(self, view: list[Said]) -> None:
        self.view = view
        self._size = sum(map(_length, view))


class Reader(ABC):
    """Reads one format. `shape`: "lines" (JSON Lines) or "document"; None: as the head looks."""

    name: ClassVar[str]
    shape: ClassVar[str | None] = "lines"

    def __init__(self, source: Source) -> None:
        self.source = source
        self.to = Recorder()

    @classmethod
    @abstractmethod
    def claims(cls, head: Head) -> bool:
        """Is the file of this format, judged by how it begins?"""

    @abstractmethod
    def record(self, number: int, key: str, value: Any) -> None:
        """One line (key ""), or one member of a document: elements of lists come one by one."""

    def finish(self) -> None:
        """The file is over, or in it a document."""
        self.to.flush()

    def items(self) -> Iterator[Item]:
        """Everything in the file, in order. Damage is noted in the source, never raised."""
        for number, key, value in self.source.records(self.shape):
            self.guarded(number, key, value)
            yield from self.to.take()
        self.finish()
        yield from self.to.take()

    def guarded(self, number: int, key: str, value: Any) -> None:
        """One record; of what shape it may be, the rest goes on."""
        try:
            if key == Source.END:
                self.finish()
            else:
                self.record(number, key, value)
        except SHAPE_ERRORS as error:
            self.source.damaged(number, f"unexpected shape ({type(error).__name__})")


def call(id: Any, name: Any, arguments: Any) -> Message:
    """A tool call in the chat format; long arguments are clipped."""
    given = arguments if isinstance(arguments, dict) else {"input": arguments}
    text = json.dumps(clipped(given), ensure_ascii=False)
    function = {"name": words(name), "arguments": text}
    return {"id": words(id), "type": "function", "function": function}


def _length(said: Said) -> int:
    size = len(said.message.get("content") or "")
    calls = said.message.get("tool_calls") or ()
    return size + sum(len(c["function"]["arguments"]) for c in calls) + 200
