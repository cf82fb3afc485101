"""The turn loop: show the view, get a reply, carry out its calls, record what changed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from harness import tokens
from harness.guard import guarded
from harness.model import Model
from harness.sandbox import Sandbox
from harness.store import Blobs
from harness.strategies.base import Context, Strategy
from harness.text import CONTINUE
from harness.tools import dispatch, parse_calls, schemas
from harness.transcript import Event, Transcript, Turn, read_turns
from harness.types import Compaction, Message, Reply, Session, ToolCall, ToolResult, Usage
from harness.user import ScriptedUser
from harness.workspace import Workspace

SYSTEM_PROMPT = (
    "You are a coding agent working in a project's folder through tools. Work step by step until "
    "everything the user asked for is done, keep to what the user has said, then call finish. "
    "Paths are relative to the project's folder. Ask the user only what you cannot find out."
)


@dataclass
class Clock:
    """Seconds of a trial by what they were spent on; waits for an endpoint stand apart."""

    seconds: dict[str, float] = field(default_factory=dict)

    def add(self, what: str, seconds: float) -> None:
        self.seconds[what] = self.seconds.get(what, 0.0) + seconds


@dataclass
class Agent:
    """One agent at work: everything a turn needs. `model_name` is what the endpoint is asked for.

    strategy and ctx are None before the seam of a shared prefix. confirm: in a recovery phase the
    scripted user answers what the agent says; otherwise a neutral word makes it go on. scope: the
    trial or prefix, by which a tape finds the agent's calls again.
    """

    model: Model
    model_name: str
    workspace: Workspace
    sandbox: Sandbox
    blobs: Blobs
    transcript: Transcript
    user: ScriptedUser
    plan: bool = True
    strategy: Strategy | None = None
    ctx: Context | None = None
    turn: int = 0
    phase: str = "work"
    confirm: bool = False
    on_wait: Callable[[float, str], None] | None = None
    scope: str = ""
    prompt: str = SYSTEM_PROMPT
    clock: Clock = field(default_factory=Clock)
    fingerprint: str | None = None
    answered_by: str = ""
    malformed: int = 0

    async def take_turn(self) -> Turn:
        """One model response and the results of its calls.

        Raises ModelError, SandboxError or WorkspaceError from the boundary that failed, and
        ContextOverflow and WorkspaceOverflow where view or files outgrow what can be kept.
        """
        self.turn += 1
        view = self.transcript.view
        size = tokens.count_view(view)
        if self.strategy and self.ctx:
            with guarded(self.strategy):
                view = await self.strategy.before_turn(view, self.ctx)
                size = tokens.count_view(view)
            self.transcript.show(view, self.turn)
        began = time.perf_counter()
        reply = await self._ask(view)
        model_seconds = time.perf_counter() - began
        turn = await self._carry_out(reply, size)
        self.clock.add("model", model_seconds)
        if self.strategy and self.ctx:
            with guarded(self.strategy):
                await self.strategy.after_turn(turn, self.ctx)
            await self.note_owned()
        return turn

    async def compact(self, strategy: Strategy, ctx: Context) -> Compaction:
        """What the strategy makes of the view, which is its to replace."""
        return await strategy.compact(self.transcript.view, ctx)

    def resume_from(self, session: Session, events: Sequence[Event]) -> None:
        """Go on from a frozen prefix: what `session` gave there, and its log."""

    def session(self) -> Session:
        """Files in which an agent with a memory of its own keeps it: path and content."""
        return ()

    async def close(self, keep: Path | None = None) -> None:
        """End whatever still runs; what tells of it goes to the folder `keep`."""

    async def _ask(self, view: list[Message]) -> Reply:
        return await self.model.complete(
            view,
            schemas(self.plan),
            model_name=self.model_name,
            on_wait=self.on_wait,
            scope=self.scope,
        )

    async def note_owned(self) -> None:
        """Log what the strategy itself has written to its files: no doing of the agent's."""
        if self.strategy and self.strategy.owned and (files := await self._store_changes()):
            self.transcript.write({"type": "files", "turn": self.turn, "files": files})

    async def _carry_out(self, reply: Reply, view_tokens: int) -> Turn:
        self.fingerprint, self.answered_by = reply.fingerprint, reply.model
        self.transcript.add(reply.message, self.turn, "agent")
        number = self.transcript.number(reply.message)
        results, oks, timed_out = [], [], 0
        calls = parse_calls(reply.message)
        for call in calls:
            result = await self._call(call)
            message = {"role": "tool", "tool_call_id": call.id, "content": result.text}
            self.transcript.add(message, self.turn, "tool")
            results.append(self.transcript.number(message))
            oks.append(result.ok)
            self.malformed += call.error is not None
            timed_out += result.timed_out
        event: dict[str, Any] = {
            "type": "turn",
            "turn": self.turn,
            "phase": self.phase,
            "reply": number,
            "results": results,
            "ok": oks,
            "files": await self._store_changes(),
            "usage": asdict(reply.usage),
            "view_tokens": view_tokens,
            "finish_reason": reply.finish_reason,
        }
        if timed_out:  # by the clock on the wall: on an idle machine it might not have
            event["timed_out"] = timed_out
        self.transcript.write(event)
        if not calls:
            self._answer_message(reply.message)
        return read_turns([*self._messages_of(event), event])[0]

    async def _call(self, call: ToolCall) -> ToolResult:
        if call.error is None and call.name == "ask_user":
            return ToolResult(self.user.answer(call.args["question"], self.turn), ok=True)
        if call.error is None and self.strategy and self.ctx:
            with guarded(self.strategy):
                refusal = self.strategy.refuse(call, self.ctx)
            if refusal is not None:
                return ToolResult(refusal, ok=True)
        result = await dispatch(call, self.workspace, self.sandbox)
        self.clock.add("tools", result.seconds)
        return result

    def _answer_message(self, message: Message) -> None:
        """A reply without calls speaks to the user, who answers before the next turn."""
        if self.phase == "recovery" and not self.confirm:
            word = {"role": "user", "content": CONTINUE[self.user.task.language]}
            self.transcript.add(word, self.turn + 1, "recovery")
            return
        answer = self.user.answer(str(message.get("content") or ""), self.turn)
        self.transcript.add({"role": "user", "content": answer}, self.turn + 1, "user")

    async def _store_changes(self) -> dict[str, str | None]:
        """Files written in this turn, as blobs: path -> sha, None where removed."""
        changed = self.workspace.changed()
        return await asyncio.to_thread(self._store, changed) if changed else {}

    def _store(self, changed: Mapping[str, str | None]) -> dict[str, str | None]:
        written = [path for path, sha in changed.items() if sha]
        stored = self.blobs.put_all(written, self.workspace.content)
        return {path: stored.get(path) for path in changed}

    def _messages_of(self, event: dict[str, Any]) -> list[dict[str, Any]]:
        numbers = [event["reply"], *event["results"]]
        return [
            {"type": "message", "n": n, "message": self.transcript.messages[n]} for n in numbers
        ]

    @property
    def usage(self) -> Usage:
        """Tokens of all turns so far."""
        total = Usage()
        for event in self.transcript.events:
            if event["type"] == "turn":
                total = total + Usage(**event["usage"])
        return total
