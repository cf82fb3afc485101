"""ATIF trajectories (Agent Trajectory Interchange Format), with their continuation files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from harness.readers.base import Reader, Said, Session, call
from harness.readers.shapes import rows, table, text_of, usage, when, whole, words
from harness.readers.source import RECORD, Head, NotRead, Source

SIBLINGS = 200
"""Files of the folder that are looked at for a continuation under another name."""


class AtifReader(Reader):
    """A seam is a system step that says so; the new view is what follows as copied context."""

    name = "atif"
    shape = "document"

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.meta: dict[str, Any] = {}
        self.started = False
        self.seam: dict[str, Any] | None = None
        self.after: list[Said] = []
        self.opened: set[str] = set()

    @classmethod
    def claims(cls, head: Head) -> bool:
        version = head.members.get("schema_version")
        return isinstance(version, str) and version.upper().startswith("ATIF")

    def record(self, number: int, key: str, value: Any) -> None:
        if key != "steps":
            self.meta[key] = value
            return
        if not self.started:
            self._begin()
        self._step(table(value), number)

    def finish(self) -> None:
        self._continue(self.meta.get("continued_trajectory_ref"))
        self._close_seam()
        super().finish()
        self.started, self.meta = False, {}

    def _begin(self) -> None:
        self.started = True
        agent = table(self.meta.get("agent")) or table(self.source.head.members.get("agent"))
        self.to.start(
            Session(
                id=words(self.meta.get("session_id")) or self.source.path.stem,
                format=self.name,
                agent=words(agent.get("name")) or "unknown",
                version=words(agent.get("version")),
                model=words(agent.get("model_name")),
            )
        )

    def _step(self, step: dict[str, Any], number: int) -> None:
        time = when(step.get("timestamp"))
        management = table(table(step.get("extra")).get("context_management"))
        copied = step.get("is_copied_context") is True
        if management.get("type") == "compaction":
            self._seam(step, management, number, time)
        elif self.seam and (copied or step.get("source") != "agent"):
            self.after += self._copied(step, number, time)
        else:
            self._close_seam()
            self._told(step, number, time, copied)

    def _told(self, step: dict[str, Any], number: int, time: str, copied: bool) -> None:
        source, text = step.get("source"), text_of(step.get("message"))
        if source == "agent":
            calls = _calls(step)
            metrics = table(step.get("metrics"))
            names = ("prompt_tokens", "cached_tokens", "completion_tokens")
            spent = usage(*(metrics.get(name) for name in names))
            key = f"step {number} {self.source.path.name}"
            self.to.reply(text, calls, number, time=time, usage=spent, key=key)
            self._results(step, number, time)
        elif source in ("user", "system"):
            ours = table(table(step.get("extra")).get("seambench"))
            human = source == "user" and not copied and ours.get("human") is not False
            self.to.say(str(source), text, number, time=time, human=human)
            self._results(step, number, time)
        else:
            self.source.skip(f"source {source}")

    def _results(self, step: dict[str, Any], number: int, time: str) -> None:
        calls = _calls(step)
        results = [r for r in map(table, rows(table(step.get("observation")).get("results")))]
        for at, result in enumerate(results):
            name = words(result.get("source_call_id"))
            if not name and at < len(calls):
                name = calls[at]["id"]
            failed = table(result.get("extra")).get("failed")
            failed = failed if isinstance(failed, bool) else None
            text = text_of(result.get("content"))
            self.to.result(name, text, number, time=time, failed=failed)

    def _seam(
        self, step: dict[str, Any], management: dict[str, Any], number: int, time: str
    ) -> None:
        self._close_seam()
        self.to.flush()
        self.seam = {"line": number, "time": time, **management}
        ours = table(table(step.get("extra")).get("seambench"))
        if "view" in ours:  # our own export tells the view here
            view = ours["view"]
            after = [s for s in map(self._restored, rows(view)) if s]
            self._mark(None if view is None else after, ours)

    def _restored(self, message: Any) -> Said | None:
        """A message of a view that our own export has written down."""
        given = table(message)
        role = given.get("role")
        if role not in ("user", "system", "assistant", "tool"):
            return None
        said = self.to.made(str(role), text_of(given.get("content")), 0)
        for key in ("tool_calls", "tool_call_id"):
            if key in given:
                said.message[key] = given[key]
        said.human = given.get("human") is True
        return said

    def _copied(self, step: dict[str, Any], number: int, time: str) -> list[Said]:
        source, text = step.get("source"), text_of(step.get("message"))
        role = "assistant" if source == "agent" else "user" if source == "user" else "system"
        return [self.to.made(role, text, number, time=time)] if text.strip() else []

    def _close_seam(self) -> None:
        if not self.seam:
            return
        after, self.after = self.after, []
        summary = "\n\n".join(_text(said) for said in after if said.role != "system")
        missing = "" if after else "the file that goes on from here is not there"
        self._mark(after or None, {"summary": summary, "unread": missing})

    def _mark(self, after: list[Said] | None, told: dict[str, Any]) -> None:
        seam, self.seam = self.seam or {}, None
        trigger = seam.get("trigger")
        self.to.mark(
            int(seam["line"]),
            after,
            time=str(seam["time"]),
            trigger=trigger if trigger in ("auto", "manual") else "unknown",
            summary=text_of(told.get("summary")),
            unread=words(told.get("unread")),
            tokens_before=whole(seam.get("tokens_before")),
        )

    def _continue(self, name: Any) -> None:
        """Go on with the next file of the trajectory, which lies beside this one."""
        if not isinstance(name, str) or name in self.opened or len(self.opened) > 100:
            return
        self.opened.add(name)
        path = self._beside(Path(name).name)
        try:
            if path.stat().st_size > RECORD:
                raise ValueError
            document = table(json.loads(path.read_text(encoding="utf-8", errors="replace")))
        except (OSError, ValueError, RecursionError):
            self.source.note(f"the trajectory goes on in {Path(name).name}, which is not there")
            return
        self.to.file = path.name
        for number, step in enumerate(rows(document.get("steps")), 1):
            if self.seam or table(step).get("is_copied_context") is not True:
                self.guarded(number, "steps", step)
        self._continue(document.get("continued_trajectory_ref"))
        self.to.file = ""

    def _beside(self, name: str) -> Path:
        """The file of that name; where it was renamed, the one that says it goes on from here."""
        path = self.source.path.parent / name
        if path.exists():
            return path
        for other in sorted(self.source.path.parent.glob("*.json"))[:SIBLINGS]:
            try:
                head = Source(other).head.members
            except (NotRead, OSError):
                continue
            index = table(table(head.get("agent")).get("extra")).get("continuation_index")
            same = head.get("session_id") == self.meta.get("session_id")
            if same and index == len(self.opened):
                return other
        return path


def _calls(step: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        call(c.get("tool_call_id"), c.get("function_name"), c.get("arguments"))
        for c in map(table, rows(step.get("tool_calls")))
    ]


def _text(said: Said) -> str:
    return str(said.message.get("content") or "")
