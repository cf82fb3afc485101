"""The program's own transcripts: `events.jsonl` of a trial or of a prefix."""

from __future__ import annotations

from typing import Any

from harness.readers.base import Reader, Said, Session, call
from harness.readers.shapes import exit_code, parsed, rows, table, text_of, usage, whole, words
from harness.readers.source import Head, Source
from harness.transcript import from_ranges


class OwnReader(Reader):
    """A trial's file begins where its prefix ends; what a view names before it is not there."""

    name = "seambench"

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.started = False
        self.numbered: dict[int, Said] = {}

    @classmethod
    def claims(cls, head: Head) -> bool:
        return any(
            r.get("type") == "message" and {"n", "turn", "source", "message"} <= set(r)
            for r in head.records
        )

    def record(self, number: int, key: str, value: Any) -> None:
        if not self.started:
            self.started = True
            self.to.start(Session(self.source.path.parent.name, self.name, "seambench"))
        kind = value.get("type")
        if kind == "message":
            said = self._message(table(value.get("message")), value.get("source"), number)
            place = value.get("n")
            if said and isinstance(place, int):
                self.numbered[place] = said
        elif kind == "compaction":
            self._compaction(value, number)
        elif kind == "turn":
            used = table(value.get("usage"))
            spent = usage(used.get("input"), used.get("cached"), used.get("output"))
            if spent:
                self.to.used(spent)
        elif kind not in ("view", "again", "answer", "completion"):
            self.source.skip(kind)

    def _message(self, message: dict[str, Any], source: Any, number: int) -> Said | None:
        role, text = message.get("role"), text_of(message.get("content"))
        if source == "strategy":
            made = self.to.made("user" if role == "user" else "system", text, number)
            return made
        if role == "assistant":
            calls = [c for c in rows(message.get("tool_calls")) if "function" in table(c)]
            return self.to.reply(text, [_call(c) for c in calls], number, key=f"line {number}")
        if role == "tool":
            code = exit_code(text)
            failed = text.startswith("error: ") or None if code is None else code != 0
            name = words(message.get("tool_call_id"))
            return self.to.result(name, text, number, failed=failed)
        kind = "user" if role == "user" else "system"
        return self.to.say(kind, text, number, human=kind == "user")

    def _compaction(self, value: dict[str, Any], number: int) -> None:
        self.to.flush()
        places = from_ranges([r for r in rows(value.get("view")) if _range(r)][:10_000])
        after = [self.numbered[place] for place in places if place in self.numbered]
        if len(after) < len(places):
            self.source.note("the prefix is in another file; what stood in it is not known")
        carried = table(value.get("artefacts"))
        summary = "\n".join(text_of(carried[k]) for k in sorted(carried))
        self.to.mark(number, after, trigger="auto", summary=summary)


def _range(value: Any) -> bool:
    numbers = isinstance(value, list) and len(value) == 2 and None not in map(whole, value)
    return bool(numbers) and 0 <= value[1] - value[0] < 100_000


def _call(given: dict[str, Any]) -> dict[str, Any]:
    function = table(given.get("function"))
    return call(given.get("id"), function.get("name"), parsed(function.get("arguments")))
