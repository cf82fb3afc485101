"""pi session files: version 1 (a list of entries) and 3 (a tree of entries)."""

from __future__ import annotations

from typing import Any

from harness.readers.base import Reader, Said, Session, call
from harness.readers.shapes import rows, table, text_of, usage, when, whole, words
from harness.readers.source import Head, Source

_QUIET = {"thinking_level_change", "label", "session_info", "custom"}


class PiReader(Reader):
    """A compaction keeps the messages from its first kept entry on, behind the summary."""

    name = "pi"

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.entries = 0
        self.last = ""
        self.index: dict[int, int] = {}
        self.ids: dict[str, tuple[int, int]] = {}
        self.summary: Said | None = None

    @classmethod
    def claims(cls, head: Head) -> bool:
        first = head.records[0] if head.records else {}
        if first.get("type") == "session" and "id" in first:
            return True
        typed = [r for r in head.records if r.get("type") == "message"]
        return any(
            isinstance(r.get("message"), dict) and "sessionId" not in r and "timestamp" in r
            for r in typed
        ) and not any("payload" in r for r in head.records)

    def record(self, number: int, key: str, value: Any) -> None:
        kind, time = value.get("type"), when(value.get("timestamp"))
        if kind == "session" or not self.entries:
            self._begin(value if kind == "session" else {}, time)
        self._follow(value)
        self.index[number] = self.entries
        self.entries += 1
        if kind == "message":
            self._message(table(value.get("message")), number, time)
        elif kind == "compaction":
            self._compaction(value, number, time)
        elif kind in ("branch_summary", "custom_message"):
            text = text_of(value.get("summary") or value.get("content"))
            self.to.say("system", text, number, time=time)
        elif kind not in _QUIET and kind not in ("session", "model_change"):
            self.source.skip(kind)
        name = words(value.get("id"))
        if kind != "session" and name:
            self.to.flush() if kind == "compaction" else None
            self.ids[name] = (number, len(self.to.view))
            self.last = name

    def _begin(self, entry: dict[str, Any], time: str) -> None:
        self.entries, self.index, self.ids, self.last = 0, {}, {}, ""
        self.to.start(
            Session(
                id=words(entry.get("id")) or self.source.path.stem,
                format=self.name,
                agent="pi",
                version=f"session v{whole(entry.get('version')) or 1}",
                model=words(entry.get("modelId")),
                cwd=words(entry.get("cwd")),
                started=time,
                parent=words(entry.get("branchedFrom")) or words(entry.get("parentSession")),
            )
        )

    def _follow(self, entry: dict[str, Any]) -> None:
        """An entry whose parent is not the last one begins another branch there."""
        parent = entry.get("parentId")
        if isinstance(parent, str) and parent != self.last and parent in self.ids:
            self.to.back(self.ids[parent][1])

    def _message(self, message: dict[str, Any], number: int, time: str) -> None:
        role = message.get("role")
        content = message.get("content")
        if role == "user":
            self.to.say("user", text_of(content), number, time=time, human=True)
        elif role == "assistant":
            blocks = [content] if isinstance(content, str) else rows(content)
            text = [b if isinstance(b, str) else text_of(b) for b in blocks if _kind(b) == "text"]
            calls = [
                call(b.get("id"), b.get("name"), b.get("arguments"))
                for b in blocks
                if _kind(b) == "toolCall"
            ]
            counts = table(message.get("usage"))
            parts = [whole(counts.get(k)) or 0 for k in ("input", "cacheRead", "cacheWrite")]
            spent = usage(sum(parts), parts[1], counts.get("output"))
            key = f"line {number}"
            self.to.reply("\n".join(text), calls, number, time=time, usage=spent, key=key)
            self.to.flush()
        elif role == "toolResult":
            failed = message.get("isError") is True
            call_id = words(message.get("toolCallId"))
            self.to.result(call_id, text_of(content), number, time=time, failed=failed)
        elif role == "bashExecution":
            text = (
                f"The user ran: {words(message.get('command'))}\n{text_of(message.get('output'))}"
            )
            self.to.say("system", text, number, time=time)
        else:
            self.source.skip(f"role {role}")

    def _compaction(self, entry: dict[str, Any], number: int, time: str) -> None:
        self.to.flush()
        summary = text_of(entry.get("summary"))
        kept = self._kept(entry)
        after: list[Said] = []
        if summary.strip():
            self.summary = self.to.made("user", summary, number, time=time)
            after = [self.summary]
        self.to.mark(
            number,
            [*after, *kept] or None,
            time=time,
            summary=summary,
            unread="" if after else "the file holds no summary",
            tokens_before=whole(entry.get("tokensBefore")),
        )

    def _kept(self, entry: dict[str, Any]) -> list[Said]:
        """Messages from the first kept entry on; an earlier summary is not among them."""
        first = whole(entry.get("firstKeptEntryIndex"))
        line = self.ids.get(words(entry.get("firstKeptEntryId")), (None, 0))[0]
        spoken = [said for said in self.to.view if said is not self.summary]
        if first is not None:
            return [said for said in spoken if self.index.get(said.line, 0) >= first]
        return [said for said in spoken if line is not None and said.line >= line]


def _kind(block: Any) -> str:
    return "text" if isinstance(block, str) else str(table(block).get("type"))
