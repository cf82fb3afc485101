"""opencode exports: one document with the session's `info` and its `messages` of parts."""

from __future__ import annotations

from typing import Any

from harness.readers.base import Reader, Said, Session, call
from harness.readers.shapes import rows, table, text_of, usage, when, whole, words
from harness.readers.source import Head, Source

_QUIET = {"step-start", "step-finish", "reasoning", "patch", "snapshot", "agent", "retry"}


class OpencodeReader(Reader):
    """A seam is a `compaction` part of the user, then a summary of the assistant's."""

    name = "opencode"
    shape = "document"

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.started = False
        self.seam: dict[str, Any] | None = None
        self.named: dict[str, Said] = {}
        self.model = ""

    @classmethod
    def claims(cls, head: Head) -> bool:
        info = table(head.members.get("info"))
        marks = {"projectID", "directory", "slug", "parentID", "share"}
        first = table(head.members.get("messages"))
        return "messages" in head.keys and (
            bool(marks & set(info)) or ("info" in first and "parts" in first)
        )

    def record(self, number: int, key: str, value: Any) -> None:
        if key == "info":
            self._begin(table(value))
        elif key == "messages":
            if not self.started:
                self._begin({})
            self._message(table(value.get("info")), rows(value.get("parts")), number)
        else:
            self.source.skip(key)

    def finish(self) -> None:
        if self.seam:
            self._mark([], "the file holds no summary")
        super().finish()
        self.started = False

    def _begin(self, info: dict[str, Any]) -> None:
        self.started, self.named = True, {}
        self.to.start(
            Session(
                id=words(info.get("id")) or self.source.path.stem,
                format=self.name,
                agent="opencode",
                version=words(info.get("version")),
                cwd=words(info.get("directory")),
                started=when(table(info.get("time")).get("created")),
                parent=words(info.get("parentID")),
            )
        )

    def _message(self, info: dict[str, Any], parts: list[Any], number: int) -> None:
        time = when(table(info.get("time")).get("created"))
        held = [part for part in map(table, parts)]
        if info.get("role") == "user":
            self._user(info, held, number, time)
        elif info.get("summary") is True or info.get("mode") == "compaction":
            self._summary(info, held, number, time)
        elif info.get("role") == "assistant":
            if self.seam:
                self._mark([], "the file holds no summary")
            self._assistant(info, held, number, time)
        else:
            self.source.skip(f"role {info.get('role')}")

    def _user(
        self, info: dict[str, Any], parts: list[dict[str, Any]], number: int, time: str
    ) -> None:
        compaction = next((p for p in parts if p.get("type") == "compaction"), None)
        if compaction:
            self.to.flush()
            self.seam = {"line": number, "time": time, **compaction}
            return
        typed = [p for p in parts if p.get("type") == "text" and p.get("synthetic") is not True]
        given = [p for p in parts if p.get("type") == "text" and p.get("synthetic") is True]
        given += [p for p in parts if p.get("type") == "file" and not given]
        text = "\n".join(text_of(p) for p in typed)
        said = self.to.say("user", text, number, time=time, human=True)
        noted = "\n".join(text_of(p) or words(p.get("filename")) for p in given)
        said = self.to.say("system", noted, number, time=time) or said
        self._name(info, said)

    def _assistant(
        self, info: dict[str, Any], parts: list[dict[str, Any]], number: int, time: str
    ) -> None:
        calls = [p for p in parts if p.get("type") == "tool"]
        text = "\n".join(text_of(p) for p in parts if p.get("type") == "text")
        made = [
            call(p.get("callID"), p.get("tool"), table(p.get("state")).get("input")) for p in calls
        ]
        tokens = table(info.get("tokens"))
        cache = table(tokens.get("cache"))
        fresh = [whole(tokens.get("input")), whole(cache.get("read")), whole(cache.get("write"))]
        spent = usage(sum(n or 0 for n in fresh), cache.get("read"), tokens.get("output"))
        key = words(info.get("id")) or f"message {number}"
        said = self.to.reply(text, made, number, time=time, usage=spent, key=key)
        self._name(info, said)
        for part in calls:
            state = table(part.get("state"))
            output = text_of(state.get("output")) or text_of(state.get("error"))
            code = table(state.get("metadata")).get("exit")
            failed = state.get("status") == "error" or (isinstance(code, int) and code != 0)
            self.to.result(words(part.get("callID")), output, number, time=time, failed=failed)
        for part in parts:
            kind = part.get("type")
            if kind not in ("text", "tool") and kind not in _QUIET:
                self.source.skip(f"part {kind}")

    def _summary(
        self, info: dict[str, Any], parts: list[dict[str, Any]], number: int, time: str
    ) -> None:
        text = "\n".join(text_of(p) for p in parts if p.get("type") == "text")
        self.seam = self.seam or {"line": number, "time": time}
        if not text.strip():
            self._mark([], "the file holds no summary")
            return
        self._mark([self.to.made("assistant", text, number, time=time)], "")

    def _mark(self, after: list[Said], unread: str) -> None:
        seam, self.seam = self.seam or {}, None
        tail = self.named.get(words(seam.get("tail_start_id")))
        if tail in self.to.view:
            after = after + self.to.view[self.to.view.index(tail) :]
        auto = seam.get("auto")
        self.to.mark(
            int(seam.get("line") or 0),
            after or None,
            time=str(seam.get("time") or ""),
            trigger="auto" if auto is True else "manual" if auto is False else "unknown",
            summary=str(after[0].message["content"]) if after and not unread else "",
            unread=unread,
        )

    def _name(self, info: dict[str, Any], said: Said | None) -> None:
        if said and len(self.named) < 100_000:
            self.named[words(info.get("id"))] = said
