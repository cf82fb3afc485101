"""Codex CLI rollouts: legacy and paginated, local and remote compaction, forks by reference."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from harness.readers.base import SHAPE_ERRORS, Item, Reader, Said, Session, call
from harness.readers.shapes import (
    exit_code,
    parsed,
    rows,
    table,
    text_of,
    usage,
    when,
    whole,
    words,
)
from harness.readers.source import Head, NotRead, Source

KEPT_TOKENS = 20_000
"""Newest user messages that local compaction keeps, where a rollout has no replacement history."""
FORKS = 32
"""Longest chain of forks that is followed."""

_TYPES = {"session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state"}
_TYPES |= {"token_usage_record", "inter_agent_communication_metadata"}
_BARE = {"message", "function_call", "function_call_output", "reasoning", "local_shell_call"}
_QUIET = {"reasoning", "ghost_snapshot", "tool_search_output", "compaction", "context_compaction"}
_CONTEXT = re.compile(
    r"\s*(?:<(?:environment_context|user_instructions|permissions|collaboration_mode|"
    r"personality_spec|apps_instructions|skills?_instructions|skill|plugins|turn_aborted|"
    r"subagent_notification|user_shell_command|model_switch|INSTRUCTIONS|user_action)\b"
    r"|# AGENTS\.md instructions|Another language model started to solve this problem)"
)
_SUMMARY = re.compile(r"\s*Another language model started to solve this problem")


class CodexReader(Reader):
    """Keyed on `response_item` and `compacted`: events repeat them, and newer files lack them."""

    name = "codex"

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.session: Session | None = None
        self.copied: set[str] = set()

    @classmethod
    def claims(cls, head: Head) -> bool:
        for record in head.records:
            if words(record.get("type")) in _TYPES and isinstance(record.get("payload"), dict):
                return True
            if record.get("record_type") == "state":
                return True
        first = head.records[0] if head.records else {}
        bare = [r for r in head.records if words(r.get("type")) in _BARE and "message" not in r]
        return "instructions" in first and "id" in first and bool(bare)

    def items(self) -> Iterator[Item]:
        meta = _first_meta(self.source)
        base = table(meta.get("history_base"))
        if base:
            self._meta(meta, "")
            self._inherit(base, {self.source.path.resolve()}, FORKS)
        yield from super().items()

    def record(self, number: int, key: str, value: Any) -> None:
        kind, payload = value.get("type"), table(value.get("payload"))
        time = when(value.get("timestamp"))
        if kind == "session_meta":
            self._meta(payload, time)
        elif kind == "response_item":
            if not table(value.get("metadata")).get("compaction_output"):
                self._item(payload, number, time)
        elif kind == "compacted":
            self._compacted(payload, number, time)
        elif kind == "event_msg":
            self._event(payload)
        elif kind == "turn_context":
            self._begin()
        elif kind in _BARE and "payload" not in value:
            self._begin()
            self._item(value, number, time)
        elif "instructions" in value and "id" in value and kind is None:
            self._meta(value, time)
        else:
            self.source.skip(kind if kind else value.get("record_type"))

    def _begin(self) -> None:
        if self.session is None:
            self.session = Session(self.source.path.stem, self.name, "codex")
            self.to.start(self.session)

    def _meta(self, meta: dict[str, Any], time: str) -> None:
        """Later metas are a parent's, copied with its history, or those of a second session."""
        name = words(meta.get("id")) or words(meta.get("session_id")) or self.source.path.stem
        above = {words(meta.get(k)) for k in ("forked_from_id", "parent_thread_id")} - {""}
        if self.session and (name == self.session.id or name in self.copied):
            self.copied |= above
            return
        self.copied = above
        self.session = Session(
            id=name,
            format=self.name,
            agent="codex",
            version=words(meta.get("cli_version")),
            model=words(meta.get("model")) or _model(self.source.head),
            cwd=words(meta.get("cwd")),
            started=when(meta.get("timestamp")) or time,
            parent=words(meta.get("forked_from_id"))
            or words(table(meta.get("history_base")).get("thread_id")),
        )
        self.to.start(self.session)

    def _event(self, event: dict[str, Any]) -> None:
        kind = event.get("type")
        if kind == "token_count":
            last = table(table(event.get("info")).get("last_token_usage"))
            counts = ("input_tokens", "cached_input_tokens", "output_tokens")
            used = usage(*(last.get(key) for key in counts))
            if used and used.input:
                self.to.used(used)
        elif kind == "thread_rolled_back":
            self._roll_back(whole(event.get("num_turns")) or 0)

    def _roll_back(self, turns: int) -> None:
        self.to.flush()
        typed = [at for at, said in enumerate(self.to.view) if said.human]
        if 0 < turns <= len(typed):
            self.to.back(typed[-turns])

    def _item(self, item: dict[str, Any], number: int, time: str) -> None:
        self._begin()
        kind = str(item.get("type"))
        if kind == "message" and item.get("role") == "assistant":
            self.to.reply(text_of(item.get("content")), (), number, time=time)
        elif kind == "message":
            self._message(item, number, time)
        elif kind == "agent_message":
            self.to.say("system", text_of(item.get("content")), number, time=time)
        elif kind.endswith("_output") and "call_id" in item and kind not in _QUIET:
            text = text_of(item.get("output"))
            code = exit_code(text)
            failed = None if code is None else code != 0
            self.to.result(words(item["call_id"]), text, number, time=time, failed=failed)
        elif kind.endswith("_call"):
            self.to.reply("", [_call(item)], number, time=time)
        elif kind not in _QUIET:
            self.source.skip(f"response_item/{kind}")

    def _message(self, item: dict[str, Any], number: int, time: str) -> None:
        """Of a user's message the parts that the program put there are no words of the user."""
        parts = rows(item.get("content")) or [item.get("content")]
        texts = [text_of(part) for part in parts]
        typed = [t for t in texts if item.get("role") == "user" and not _CONTEXT.match(t)]
        given = [t for t in texts if t not in typed]
        self.to.say("system", "\n".join(given), number, time=time)
        self.to.say("user", "\n".join(typed), number, time=time, human=True)

    def _compacted(self, payload: dict[str, Any], number: int, time: str) -> None:
        self._begin()
        self.to.flush()
        message = text_of(payload.get("message"))
        history = payload.get("replacement_history")
        if isinstance(history, list):
            after, sealed = self._history(history, number, time)
        else:
            after, sealed = self._kept_users(), False
            after.append(self.to.made("user", message, number, time=time))
        summary = message or next((_text(s) for s in after if _SUMMARY.match(_text(s))), "")
        unread = ""
        if sealed:
            unread = "the summary is encrypted"
        elif not summary:
            unread = "the file holds no summary (it was encrypted, or an export left it out)"
        key = f"codex:{time}:{len(after)}" if self.session and self.session.parent else ""
        self.to.mark(number, after, time=time, summary=summary, unread=unread, key=key)

    def _history(self, items: Sequence[Any], number: int, time: str) -> tuple[list[Said], bool]:
        after: list[Said] = []
        sealed = False
        for item in map(table, items):
            kind = str(item.get("type"))
            if kind == "message":
                said = item.get("role")
                for part in rows(item.get("content")) or [item.get("content")]:
                    text = text_of(part)
                    typed = said == "user" and not _CONTEXT.match(text)
                    role = "assistant" if said == "assistant" else "user" if typed else "system"
                    role = "user" if _SUMMARY.match(text) else role
                    made = self.to.made(role, text, number, time=time)
                    made.human = typed
                    after.append(made)
            elif item.get("encrypted_content") and kind != "reasoning":
                sealed = True
            elif kind.endswith("_call"):
                made = self.to.made("assistant", "", number, time=time)
                made.message["tool_calls"] = [_call(item)]
                after.append(made)
        return [said for said in after if _text(said) or said.message.get("tool_calls")], sealed

    def _kept_users(self) -> list[Said]:
        """What the program keeps by itself: its own context, and the newest user messages."""
        context = [s for s in self.to.view if s.role == "system" and s.turn == 0]
        kept: list[Said] = []
        left = KEPT_TOKENS * 4  # characters; it counts tokens as bytes by four
        for said in reversed([s for s in self.to.view if s.human]):
            left -= len(_text(said).encode("utf-8"))
            if left < 0:
                break
            kept.insert(0, said)
        return context + kept

    def _inherit(self, base: dict[str, Any], seen: set[Path], depth: int) -> None:
        """Read what a fork took over from its parent's file, so that its view is known."""
        name = words(base.get("thread_id"))
        path = _rollout(self.source.path, name)
        if path is None or path.resolve() in seen or not depth:
            told = f"parent rollout {name or '(unnamed)'} is not there"
            self.source.note(f"{told}; what was said before the fork is not known")
            return
        try:
            parent = Source(path)
        except (NotRead, OSError) as error:
            self.source.note(f"parent rollout {path.name} cannot be read: {error}")
            return
        above = table(_first_meta(parent).get("history_base"))
        if above:
            self._inherit(above, {*seen, path.resolve()}, depth - 1)
        self.to.inherited, self.to.file = True, path.name
        end = whole(base.get("end_ordinal_exclusive"))
        for number, _, value in parent.records("lines"):
            ordinal = whole(value.get("ordinal"))
            if end is not None and (number - 1 if ordinal is None else ordinal) >= end:
                break
            if value.get("type") in ("response_item", "compacted", "event_msg"):
                try:
                    self.record(number, "", value)
                except SHAPE_ERRORS:
                    self.source.note(f"{path.name}: line {number} has an unexpected shape")
        self.to.flush()
        self.to.inherited, self.to.file = False, ""


def _call(item: dict[str, Any]) -> dict[str, Any]:
    """A call of any kind; a command given as a list is one text."""
    arguments = parsed(item.get("arguments", item.get("input", item.get("action"))))
    name = item.get("name") or str(item.get("type")).removesuffix("_call")
    if isinstance(arguments, dict):
        command = arguments.get("command", arguments.get("cmd"))
        if isinstance(command, list):
            arguments = {**arguments, "command": shell_line(command)}
    return call(item.get("call_id") or item.get("id"), name, arguments)


def shell_line(command: Sequence[Any]) -> str:
    """["bash", "-lc", "make"] -> "make"; any other list joined."""
    texts = [part for part in command if isinstance(part, str)]
    if len(texts) == 3 and texts[1] in ("-lc", "-c"):
        return texts[2]
    return " ".join(texts)


def _text(said: Said) -> str:
    return str(said.message.get("content") or "")


def _model(head: Head) -> str:
    told = (table(r.get("payload")) for r in head.records if r.get("type") == "turn_context")
    return next((words(context.get("model")) for context in told), "")


def _first_meta(source: Source) -> dict[str, Any]:
    for record in source.head.records[:5]:
        if record.get("type") == "session_meta":
            return table(record.get("payload"))
    return {}


def _rollout(beside: Path, name: str) -> Path | None:
    """The rollout file of that id, in the folder or elsewhere under the same `sessions`."""
    if not re.fullmatch(r"[0-9A-Za-z-]{8,64}", name):
        return None
    near = sorted(beside.parent.glob(f"*{name}.jsonl"))
    above = [f for f in list(beside.resolve().parents)[:5] if f.name.endswith("sessions")]
    found = near or [path for root in above for path in sorted(root.rglob(f"*{name}.jsonl"))]
    return found[0] if found else None
