"""Claude Code session files: one line for each content block, compact boundaries, side chains."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from harness.readers.base import Reader, Said, Session, call
from harness.readers.shapes import exit_code, rows, table, text_of, usage, when, whole, words
from harness.readers.source import Head, Source

CHAIN = 200_000
"""Record ids that are remembered between two seams, for going back in the conversation."""

_MESSAGES = {"user", "assistant", "system", "attachment"}
_QUIET = {"file-history-snapshot", "queue-operation", "progress", "mode", "permission-mode"}
_QUIET |= {"custom-title", "last-prompt", "summary", "ai-title", "agent-name"}
_COMMAND = re.compile(
    r"\s*(?:<(?:command-name|command-message|local-command-|bash-|task-notification|"
    r"system-reminder|user-memory-input)|\[Request interrupted|Caveat: The messages below)"
)


@dataclass
class _Boundary:
    """A compact boundary whose new view is still being told."""

    line: int
    time: str
    uuid: str
    data: dict[str, Any]
    summary: Said | None = None
    given: list[Said] = field(default_factory=list)


class ClaudeReader(Reader):
    """Logical order is that of the file; going back is seen by the parent of a typed message."""

    name = "claude-code"

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.session = ""
        self.aside = _all_aside(source.head)
        self.boundary: _Boundary | None = None
        self.said_by: dict[str, Said] = {}
        self.length_at: dict[str, int] = {}
        self.left_out = 0

    @classmethod
    def claims(cls, head: Head) -> bool:
        return any(
            words(r.get("type")) in _MESSAGES
            and ("sessionId" in r or "session_id" in r or "uuid" in r)
            and ("message" in r or "subtype" in r or "attachment" in r)
            for r in head.records
        )

    def record(self, number: int, key: str, value: Any) -> None:
        kind = value.get("type")
        if kind not in _MESSAGES:
            if kind not in _QUIET:
                self.source.skip(kind)
            return
        boundary = value.get("subtype") == "compact_boundary"
        if kind == "system" and not boundary:
            if str(value.get("subtype")).startswith("microcompact"):
                self.source.skip("microcompact_boundary")  # old tool results cleared, no summary
            self._chain(value)
            return
        own = self.aside or (self.boundary and value.get("isCompactSummary") is True)
        if value.get("isSidechain") is True and not own:
            self.left_out += 1
            return
        self._begin(value)
        time = when(value.get("timestamp"))
        if boundary:
            self._seam(value, number, time)
        elif kind == "attachment":
            self._attachment(table(value.get("attachment")), number, time)
        elif kind == "assistant":
            self._assistant(value, number, time)
        else:
            self._user(value, number, time)
        self._chain(value)

    def finish(self) -> None:
        self._close_seam()
        super().finish()
        if self.left_out:
            self.source.note(f"{self.left_out} records of sub-agents left out")

    def _begin(self, value: dict[str, Any]) -> None:
        """A record of another session that follows nothing known begins that session."""
        name = words(value.get("sessionId")) or words(value.get("session_id"))
        known = value.get("parentUuid") in self.length_at or "logicalParentUuid" in value
        if self.session and (not name or name == self.session or known or self.boundary):
            return
        self._close_seam()
        self.session = name or self.session or self.source.path.stem
        self.said_by, self.length_at = {}, {}
        self.to.start(
            Session(
                id=self.session,
                format=self.name,
                agent="claude-code" + (" (sub-agent)" if self.aside else ""),
                version=words(value.get("version")),
                model=_model(self.source.head),
                cwd=words(value.get("cwd")),
                started=when(value.get("timestamp")),
            )
        )

    def _chain(self, value: dict[str, Any]) -> None:
        uuid = value.get("uuid")
        if isinstance(uuid, str) and len(self.length_at) < CHAIN:
            self.length_at[uuid] = self.to.length

    def _assistant(self, value: dict[str, Any], number: int, time: str) -> None:
        message = table(value.get("message"))
        if value.get("isApiErrorMessage") is True or message.get("model") == "<synthetic>":
            return
        self._close_seam()
        text, calls = [], []
        content = message.get("content")
        for block in [content] if isinstance(content, str) else rows(content):
            if isinstance(block, str):
                text.append(block)
            elif table(block).get("type") == "text":
                text.append(text_of(block))
            elif table(block).get("type") in ("tool_use", "server_tool_use"):
                calls.append(call(block.get("id"), block.get("name"), block.get("input")))
        key = words(message.get("id")) or words(value.get("requestId")) or f"line {number}"
        spent = _usage(table(message.get("usage")))
        said = self.to.reply("\n".join(text), calls, number, time=time, usage=spent, key=key)
        self._name(value, said)

    def _user(self, value: dict[str, Any], number: int, time: str) -> None:
        content = table(value.get("message")).get("content")
        if value.get("isCompactSummary") is True:
            self._summary(value, text_of(content), number, time)
            return
        results = [b for b in map(table, rows(content)) if b.get("type") == "tool_result"]
        for block in results:
            self._result(value, block, number, time)
        if results:
            return
        parts = [content] if isinstance(content, str) else rows(content)
        text = "\n".join(text_of(p) for p in parts if not _COMMAND.match(text_of(p)))
        if value.get("isMeta") is True or not text.strip():
            if self.boundary:
                given = self.to.made("system", text_of(content), number, time=time)
                self.boundary.given.append(given)
                return
            self._name(value, self.to.say("system", text_of(content), number, time=time))
            return
        self._go_back(value.get("parentUuid"))
        self._close_seam()
        self._name(value, self.to.say("user", text, number, time=time, human=True))

    def _result(self, value: dict[str, Any], block: dict[str, Any], line: int, time: str) -> None:
        text = text_of(block.get("content"))
        code = exit_code(text[:200])
        failed = block.get("is_error") is True or (code is not None and code != 0)
        call_id = words(block.get("tool_use_id"))
        self._name(value, self.to.result(call_id, text, line, time=time, failed=failed))

    def _name(self, value: dict[str, Any], said: Said | None) -> None:
        uuid = value.get("uuid")
        if said and isinstance(uuid, str) and len(self.said_by) < CHAIN:
            self.said_by[uuid] = said

    def _go_back(self, parent: Any) -> None:
        """Typed in answer to an earlier message: what came after that one is no longer in view."""
        length = self.length_at.get(parent) if isinstance(parent, str) else None
        self.to.flush()
        if length is not None and any(s.human for s in self.to.view[length:]):
            self.to.back(length)

    def _attachment(self, attached: dict[str, Any], number: int, time: str) -> None:
        """Files and notes that the program lays into the view; a queued prompt is the user's."""
        kind = words(attached.get("type"))
        if kind == "queued_command" and attached.get("commandMode", "prompt") == "prompt":
            self._close_seam()
            text = text_of(attached.get("prompt"))
            self.to.say("user", text, number, time=time, human=not _COMMAND.match(text))
            return
        name = attached.get("filename") or attached.get("displayPath") or attached.get("path")
        text = f"{words(name)}\n{_held(attached)}".strip()
        if not text:
            return
        if self.boundary:
            self.boundary.given.append(self.to.made("system", text, number, time=time))
        elif kind in ("file", "nested_memory", "compact_file_reference", "edited_text_file"):
            self.to.say("system", text, number, time=time)

    def _seam(self, value: dict[str, Any], number: int, time: str) -> None:
        self._close_seam()
        self.to.flush()
        data = table(value.get("compactMetadata") or value.get("compact_metadata"))
        self.boundary = _Boundary(number, time, words(value.get("uuid")), data)

    def _summary(self, value: dict[str, Any], text: str, number: int, time: str) -> None:
        if self.boundary is None:
            self.boundary = _Boundary(number, time, words(value.get("uuid")), {})
        self.boundary.summary = self.to.made("user", text, number, time=time)

    def _close_seam(self) -> None:
        """The first words after a boundary are spoken: the new view is complete."""
        seam, self.boundary = self.boundary, None
        if not seam:
            return
        kept = self._preserved(seam.data)
        after = [*([seam.summary] if seam.summary else []), *kept, *seam.given]
        unread = "" if seam.summary else "the file holds no summary"
        trigger = seam.data.get("trigger")
        self.to.mark(
            seam.line,
            after or None,
            time=seam.time,
            trigger=trigger if trigger in ("auto", "manual") else "unknown",
            summary=str(seam.summary.message["content"]) if seam.summary else "",
            unread=unread,
            tokens_before=whole(seam.data.get("preTokens", seam.data.get("pre_tokens"))),
            tokens_after=whole(seam.data.get("postTokens")),
            key=f"claude:{seam.uuid}:{seam.time}" if len(seam.uuid) >= 32 else "",
        )
        keep = {id(said) for said in kept}
        self.said_by = {uuid: said for uuid, said in self.said_by.items() if id(said) in keep}
        self.length_at = {}

    def _preserved(self, data: dict[str, Any]) -> list[Said]:
        """Messages that newer versions keep as they were, by id or from a first to a last one."""
        listed = table(data.get("preservedMessages"))
        uuids = [u for u in rows(listed.get("uuids")) or rows(listed.get("allUuids"))]
        chosen = {id(self.said_by[u]) for u in uuids if isinstance(u, str) and u in self.said_by}
        segment = table(data.get("preservedSegment"))
        ends = [self.said_by.get(words(segment.get(k))) for k in ("headUuid", "tailUuid")]
        if not chosen and all(ends):
            places = [at for at, said in enumerate(self.to.view) if said in ends]
            if places:
                chosen = {id(said) for said in self.to.view[places[0] : places[-1] + 1]}
        return [said for said in self.to.view if id(said) in chosen]


def _held(attached: dict[str, Any]) -> str:
    for key in ("content", "snippet", "text", "stdout", "planContent"):
        text = text_of(table(attached.get(key)).get("file") or attached.get(key))
        if text.strip():
            return text
    return ""


def _usage(counts: dict[str, Any]) -> Any:
    cached = whole(counts.get("cache_read_input_tokens")) or 0
    fresh = [whole(counts.get(k)) or 0 for k in ("input_tokens", "cache_creation_input_tokens")]
    return usage(sum(fresh) + cached, cached, counts.get("output_tokens"))


def _model(head: Head) -> str:
    told = (words(table(r.get("message")).get("model")) for r in head.records)
    return next((model for model in told if model and model != "<synthetic>"), "")


def _all_aside(head: Head) -> bool:
    """Is this the file of a sub-agent, where every message is of a side chain?"""
    spoken = [r for r in head.records if r.get("type") in ("user", "assistant")]
    return bool(spoken) and all(r.get("isSidechain") is True for r in spoken)
