"""OpenHands: events of V0 (`action`, `observation`) and of the V1 SDK (`kind`), condensations."""

from __future__ import annotations

from typing import Any

from harness.readers.base import Reader, Said, Session, call
from harness.readers.shapes import parsed, table, text_of, when, whole, words
from harness.readers.source import Head, Source

_V1 = {"MessageEvent", "ActionEvent", "ObservationEvent", "SystemPromptEvent", "Condensation"}
_V1 |= {"AgentErrorEvent", "ConversationStateUpdateEvent", "CondensationRequest"}
_QUIET = {"ConversationStateUpdateEvent", "CondensationRequest", "PauseEvent", "TokenEvent"}
_QUIET |= {"CondensationSummaryEvent", "LLMCompletionLogEvent"}
_V0_QUIET = {"change_agent_state", "agent_state_changed", "null", "recall", "system", "error_null"}
_TOOLS = {"run": "run", "read": "read_file", "edit": "edit_file", "write": "write_file"}
_TOOLS |= {"run_ipython": "run_ipython", "browse": "browse", "call_tool_mcp": "call_tool"}


class OpenHandsReader(Reader):
    """A condensation forgets events by id and may put a summary in their place."""

    name = "openhands"
    shape = None

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.started = False
        self.events: dict[str, Said] = {}
        self.pending: dict[str, str] = {}

    @classmethod
    def claims(cls, head: Head) -> bool:
        if any(words(r.get("kind")) in _V1 or _v0(r) for r in head.records):
            return True
        if any(isinstance(r.get("history"), list) and "instance_id" in r for r in head.records):
            return True
        first = table(head.members.get("")) or table(head.members.get("history"))
        return _v0(first) or words(first.get("kind")) in _V1

    def record(self, number: int, key: str, value: Any) -> None:
        if isinstance(value, list):  # older output files pair an action with its observation
            for part in value:
                self._event(number, table(part))
        elif isinstance(value, dict) and isinstance(value.get("history"), list):
            self._begin(value, "")
            for event in value["history"]:
                for part in event if isinstance(event, list) else [event]:
                    self._event(number, table(part))
        elif isinstance(value, dict) and key in ("", "history"):
            self._event(number, value)

    def finish(self) -> None:
        super().finish()
        self.started = False

    def _begin(self, holder: dict[str, Any], time: str) -> None:
        self.started, self.events, self.pending = True, {}, {}
        metadata = table(holder.get("metadata"))
        model = table(metadata.get("llm_config")).get("model")
        folder = self.source.path
        stem = folder.parent.name if folder.name == "events" else folder.stem
        self.to.start(
            Session(
                id=words(holder.get("instance_id")) or stem,
                format=self.name,
                agent="openhands",
                version="V1" if self._is_v1() else "V0",
                model=words(model),
                started=time,
            )
        )

    def _is_v1(self) -> bool:
        first = table(self.source.head.members.get(""))
        return any(words(r.get("kind")) in _V1 for r in (*self.source.head.records, first))

    def _event(self, number: int, event: dict[str, Any]) -> None:
        time = when(event.get("timestamp"))
        if not self.started:
            self._begin({}, time)
        if isinstance(event.get("kind"), str):
            self._v1(number, event, time)
        elif "action" in event:
            self._action(number, event, time)
        elif "observation" in event:
            self._observation(number, event, time)
        else:
            self.source.skip(event.get("type") or "event")

    def _v1(self, number: int, event: dict[str, Any], time: str) -> None:
        kind = event["kind"]
        said: Said | None = None
        if kind == "MessageEvent":
            message = table(event.get("llm_message"))
            said = self._spoken(event.get("source"), text_of(message.get("content")), number, time)
        elif kind == "SystemPromptEvent":
            prompt = text_of(event.get("system_prompt"))
            said = self.to.say("system", prompt, number, time=time)
        elif kind == "ActionEvent":
            said = self._v1_action(number, event, time)
        elif kind in ("ObservationEvent", "AgentErrorEvent", "UserRejectObservation"):
            said = self._v1_result(number, event, time)
        elif kind == "Condensation":
            self._condense(event, number, time)
        elif kind not in _QUIET:
            self.source.skip(kind)
        self._name(event, said)

    def _v1_action(self, number: int, event: dict[str, Any], time: str) -> Said:
        made = table(event.get("tool_call"))
        function = table(made.get("function"))
        given = parsed(made.get("arguments") or function.get("arguments"))
        arguments = given if isinstance(given, dict) else table(event.get("action"))
        name = event.get("tool_name") or made.get("name") or function.get("name")
        key = words(event.get("llm_response_id")) or f"event {number}"
        done = call(event.get("tool_call_id"), name, arguments)
        return self.to.reply(text_of(event.get("thought")), [done], number, time=time, key=key)

    def _v1_result(self, number: int, event: dict[str, Any], time: str) -> Said:
        seen = table(event.get("observation"))
        text = (
            text_of(seen) or text_of(event.get("error")) or text_of(event.get("rejection_reason"))
        )
        code = seen.get("exit_code")
        failed = seen.get("is_error") is True or (isinstance(code, int) and code != 0)
        failed = failed or event.get("kind") != "ObservationEvent"
        call_id = words(event.get("tool_call_id"))
        return self.to.result(call_id, text, number, time=time, failed=failed)

    def _spoken(self, source: Any, text: str, number: int, time: str) -> Said | None:
        if source == "agent":
            return self.to.reply(text, (), number, time=time, key=f"event {number}")
        role = "user" if source == "user" else "system"
        return self.to.say(role, text, number, time=time, human=role == "user")

    def _action(self, number: int, event: dict[str, Any], time: str) -> None:
        kind, args = event.get("action"), table(event.get("args"))
        if kind == "condensation":
            self._condense(args, number, time)
            return
        text = text_of(args.get("content")) or text_of(event.get("message"))
        thought = text_of(args.get("thought"))
        said: Said | None = None
        if kind == "message":
            said = self._spoken(event.get("source"), text, number, time)
        elif kind in ("think", "finish"):
            words_said = thought or text_of(args.get("final_thought")) or text
            said = self.to.reply(words_said, (), number, time=time, key=f"event {number}")
        elif kind in _TOOLS:
            made = table(event.get("tool_call_metadata"))
            call_id = words(made.get("tool_call_id")) or f"event {event.get('id')}"
            response = words(table(made.get("model_response")).get("id"))
            given = {
                k: v for k, v in args.items() if k not in ("thought", "translated_ipython_code")
            }
            done = call(call_id, _TOOLS[str(kind)], given)
            key = response or f"event {number}"
            said = self.to.reply(thought, [done], number, time=time, key=key)
            self.pending[str(event.get("id"))] = call_id
        elif kind not in _V0_QUIET:
            self.source.skip(f"action {kind}")
        self._name(event, said)

    def _observation(self, number: int, event: dict[str, Any], time: str) -> None:
        kind, extras = event.get("observation"), table(event.get("extras"))
        call_id = self.pending.pop(str(event.get("cause")), "")
        if not call_id:
            if kind not in _V0_QUIET:
                self.source.skip(f"observation {kind}")
            return
        code = table(extras.get("metadata")).get("exit_code", extras.get("exit_code"))
        failed = kind == "error" or (isinstance(code, int) and code != 0)
        text = text_of(event.get("content"))
        self._name(event, self.to.result(call_id, text, number, time=time, failed=failed))

    def _condense(self, event: dict[str, Any], number: int, time: str) -> None:
        self.to.flush()
        gone = self._forgotten(event)
        lost = {id(said) for name, said in self.events.items() if name in gone}
        after = [said for said in self.to.view if id(said) not in lost]
        summary = text_of(event.get("summary"))
        if summary.strip():
            place = whole(event.get("summary_offset"))
            place = len(after) if place is None else min(int(place), len(after))
            after.insert(place, self.to.made("user", summary, number, time=time))
        self.to.mark(number, after, time=time, trigger="auto", summary=summary)
        self.events = {n: said for n, said in self.events.items() if id(said) not in lost}

    def _forgotten(self, event: dict[str, Any]) -> set[str]:
        listed = event.get("forgotten_event_ids")
        if isinstance(listed, list):
            return {str(name) for name in listed if isinstance(name, str | int)}
        first = whole(event.get("forgotten_events_start_id"))
        last = whole(event.get("forgotten_events_end_id"))
        if first is None or last is None:
            return set()
        return {n for n in self.events if n.isdigit() and first <= int(n) <= last}

    def _name(self, event: dict[str, Any], said: Said | None) -> None:
        if said and isinstance(event.get("id"), str | int) and len(self.events) < 200_000:
            self.events[str(event["id"])] = said


def _v0(record: dict[str, Any]) -> bool:
    told = isinstance(record.get("action"), str) or isinstance(record.get("observation"), str)
    return told and "source" in record and ("args" in record or "content" in record)
