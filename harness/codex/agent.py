"""Codex as the agent of a trial: its requests are the turns, its exits and words the rest."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from harness.agent import Agent
from harness.codex.front import Asked
from harness.codex.process import NO_LIMIT, Process
from harness.codex.rollout import has_outputs, newest_thread
from harness.codex.tools import our_message, said
from harness.errors import AgentError, ContextOverflow, InvalidTrial, UserError
from harness.strategies.bare import Bare
from harness.strategies.base import Context, Strategy, system_of
from harness.text import CONTINUE, carried, content_text
from harness.transcript import Event
from harness.types import Compaction, Message, Reply, Session, ToolCall, ToolResult, Usage

ANSWER_S = 900.0
"""Longest wait for Codex, which may be at a command, to ask again or to end."""
FLUSH_S = 30.0
MOST_SEAMS = 4
FIRST = 160_000
"""Tokens told before the seam: with the results of a turn, which Codex adds by itself, under nine
tenths of the window that it gives the model (272,000), where it compacts whatever its limit."""
_INTERRUPTED = re.compile(r"\s*<turn_aborted>")


@dataclass(kw_only=True)
class CodexAgent(Agent):
    """An agent whose turns are taken by a real `codex exec`.

    At a turn's boundary Codex waits for the answer to its next request, or has ended. What the
    user says ends its turn by an empty reply and resumes the session. At the seam a fork of the
    session is resumed with a limit that the usage reported so far has reached, so that Codex
    compacts before anything else; its summary is the strategy's text. The usage that it is told
    is made up, half of it after every seam, so that it does not compact by itself.
    """

    process: Process
    thread: str = ""
    _began: Session = ()
    _opened: bool = False
    _seams: int = 0
    _asked: Asked | None = None
    _unsaid: list[str] = field(default_factory=list)
    _heard: int = 0
    _results: dict[str, ToolResult] = field(default_factory=dict)

    def resume_from(self, session: Session, events: Sequence[Event]) -> None:
        """Go on from a frozen prefix: Codex's session files, and the prefix's log."""
        if not session:
            raise UserError("agent=codex: the prefix is not Codex's own; leave run.prefixes out")
        self._began = session
        self.thread = newest_thread([path for path, _ in session])
        self._seams = 1 + sum(e["type"] == "compaction" for e in events)
        last = max((n for n, e in enumerate(events) if e["type"] == "turn"), default=-1)
        self._unsaid = self._words(events[last + 1 :])

    def session(self) -> Session:
        """Codex's session files as they are now; the newest, which it writes to, is the last."""
        files = sorted(self.process.home.glob("sessions/*/*/*/rollout-*.jsonl"))
        return tuple((str(f.relative_to(self.process.home)), f.read_bytes()) for f in files)

    async def close(self, keep: Path | None = None) -> None:
        """End Codex and remove its home; its session files go to the folder `keep`."""
        if keep is not None:
            for path, content in self.session():
                (keep / Path(path).name).write_bytes(content)
        await self.process.close()

    async def compact(self, strategy: Strategy, ctx: Context) -> Compaction:
        """Let Codex compact, with the strategy's text as the summary, or for `bare` its own.

        The view is what Codex makes of it: it keeps the user's messages beside the summary.
        """
        history = self.transcript.view
        own = type(strategy) is Bare
        compaction = Compaction(view=[]) if own else await strategy.compact(history, ctx)
        word = CONTINUE[self.user.task.language]
        how = await self._fork()
        if compaction.view == history:
            self.process.start(word, how)
            self._asked = await self._next()
            return replace(compaction, view=[*history, {"role": "user", "content": word}])
        self.process.start(word, how, told(self._seams - 1).input)
        asked = await self._next("compaction")
        if own:
            compaction = await self._own_summary(asked, ctx)
        text = summary_text(compaction.view, history, word)
        asked.answer({"role": "assistant", "content": text}, told(self._seams))
        self._asked = await self._next()
        view = [*system_of(history), *said(self._asked.messages)]
        return replace(compaction, view=view)

    async def _own_summary(self, asked: Asked, ctx: Context) -> Compaction:
        """The model's answer to Codex's own request for a summary."""
        try:
            reply = await ctx.complete(_uninterrupted(asked.messages))
        except ContextOverflow:
            ctx.notes.append("summary_overflow")
            return Compaction(view=[], artefacts={"summary": ""})
        ctx.usage = ctx.usage + reply.usage
        text = content_text(reply.message).strip()
        if not text:
            ctx.notes.append("empty_summary")
        view = [{"role": "user", "content": carried("summary", text)}] if text else []
        return Compaction(view=view, artefacts={"summary": text})

    async def _fork(self) -> list[str]:
        """How the session is gone on with at the seam; what it was not yet told is said first."""
        await self._open()
        how = ["fork", self.thread]
        if self._unsaid:
            self.process.start(self._take_unsaid(), how)
            asked = await self._next()
            asked.end_turn(told(self._seams - 1))
            await self._end()
            how = ["resume", self.thread]
        return how

    async def _ask(self, view: list[Message]) -> Reply:
        asked = await self._at_hand()
        reply = await self.model.complete(
            with_put_in(_uninterrupted(asked.messages), self.transcript.view, view),
            asked.tools,
            model_name=self.model_name,
            on_wait=self.on_wait,
            scope=self.scope,
        )
        began = time.perf_counter()
        self._asked = None
        asked.answer(reply.message, told(self._seams))
        outputs = await self._carried_out(reply)
        self.clock.add("tools", time.perf_counter() - began)
        message, self._results = our_message(reply.message, outputs, f"call_{self.turn}")
        return replace(reply, message=message)

    async def _call(self, call: ToolCall) -> ToolResult:
        return self._results[call.id]

    async def _at_hand(self) -> Asked:
        """The request that waits; a new one where the user has something to say, or Codex ended."""
        self._unsaid += self._words(self.transcript.events[self._heard :])
        self._heard = len(self.transcript.events)
        if self._unsaid and self._asked:
            self._asked.end_turn(told(self._seams))
            self._asked = None
            await self._end()
        if self._asked is None:
            await self._open()
            self.process.start(
                self._take_unsaid(), ("resume", self.thread) if self.thread else (), NO_LIMIT
            )
            self._asked = await self._next()
        return self._asked

    async def _open(self) -> None:
        if not self._opened:
            # What a strategy adds to the prompt stands under it in the log.
            system = content_text(self.transcript.view[0])
            await self.process.open(self._began, system.removeprefix(self.prompt).strip())
            self._opened = True

    def _take_unsaid(self) -> str:
        words, self._unsaid = self._unsaid, []
        return "\n\n".join(words) or CONTINUE[self.user.task.language]

    def _words(self, events: Sequence[Event]) -> list[str]:
        """What the user says in these events."""
        told = [e for e in events if e["type"] in ("message", "again")]
        messages = [self.transcript.messages[e["n"]] for e in told if e["source"] != "strategy"]
        return [content_text(m) for m in messages if m["role"] == "user"]

    async def _next(self, kind: str = "turn") -> Asked:
        """The next request, which must be of a kind. Raises AgentError where Codex ends instead."""
        asked = await self._request_or_end()
        if asked is None:
            raise AgentError(f"codex ended and asked nothing: {await self._ending()}", kind="ended")
        if asked.kind != kind:
            raise InvalidTrial(f"codex_{asked.kind}_unexpected")
        self.thread = asked.thread
        return asked

    async def _carried_out(self, reply: Reply) -> dict[str, str]:
        """What the tools gave back, once Codex asks again; without calls it ends."""
        asked = await self._request_or_end()
        if asked is None:
            if reply.message.get("tool_calls"):
                raise AgentError(f"codex ended in a turn: {await self._ending()}", kind="ended")
            return {}
        if asked.kind != "turn":
            raise InvalidTrial("codex_compaction_unexpected")
        self._asked, self.thread = asked, asked.thread
        await self._flushed([call["id"] for call in reply.message.get("tool_calls") or []])
        return asked.outputs

    async def _request_or_end(self) -> Asked | None:
        request = asyncio.ensure_future(self.process.front.asked.get())
        ended = asyncio.ensure_future(self.process.ended())
        try:
            await asyncio.wait(
                (request, ended), timeout=ANSWER_S, return_when=asyncio.FIRST_COMPLETED
            )
            if request.done():
                return request.result()
            if ended.done():
                ended.result()
                return None
        finally:
            for task in (request, ended):
                task.cancel()
        raise AgentError(f"codex did nothing for {ANSWER_S:.0f} s", kind="silent")

    async def _end(self) -> None:
        """Wait until Codex has ended after its turn was ended."""
        if await self._request_or_end() is not None:
            raise AgentError("codex asks on after the end of its turn", kind="protocol")

    async def _ending(self) -> str:
        result = await self.process.ended()
        lines = result.text.strip().splitlines() or [f"exit code {result.exit_code}"]
        return " ".join(lines[-3:])[-300:]

    def _written(self) -> bytes:
        path = self.process.rollout(self.thread)
        return path.read_bytes() if path else b""

    async def _flushed(self, calls: Sequence[str]) -> None:
        """Wait until Codex has written down what it tells us: a frozen session must be whole."""
        deadline = time.monotonic() + FLUSH_S
        while not has_outputs(self._written(), calls):
            if time.monotonic() > deadline:
                raise AgentError("codex does not write its session down", kind="rollout")
            await asyncio.sleep(0.01)


def told(seams: int) -> Usage:
    """The usage that Codex is told of every reply after so many seams."""
    return Usage(FIRST >> seams)


def _uninterrupted(messages: Sequence[Message]) -> list[Message]:
    """Without Codex's note that the user interrupted it: that was the harness, at the seam."""
    return [m for m in messages if not _INTERRUPTED.match(content_text(m))]


def with_put_in(
    asked: Sequence[Message], known: Sequence[Message], shown: Sequence[Message]
) -> list[Message]:
    """A request of Codex with what a strategy put into this turn's view.

    known: the view as the log has it; shown: as the strategy wants it. Raises InvalidTrial where
    that is more than words under the prompt and messages at the end.
    """
    messages = list(asked)
    first, told = content_text(known[0]), content_text(shown[0])
    if list(shown[1 : len(known)]) != list(known[1:]) or not told.startswith(first):
        raise InvalidTrial("codex_view_replaced")
    if told != first:
        prompt = content_text(messages[0])
        messages[0] = {"role": "system", "content": prompt + told.removeprefix(first)}
    return [*messages, *shown[len(known) :]]


def summary_text(view: Sequence[Message], history: Sequence[Message], word: str) -> str:
    """The text of a strategy's view, which Codex takes for its summary.

    Beside it Codex keeps all that the user said. Raises InvalidTrial where the strategy keeps
    other messages than these.
    """
    new = view[len(system_of(view)) :]
    kept = [m for m in new if m in history]
    users = [m for m in history if m["role"] == "user"]
    if (kept and kept != users) or any(m["role"] != "user" for m in new):
        raise InvalidTrial("codex_keeps_other_messages")
    texts = [content_text(m).strip() for m in new if m not in kept]
    return "\n\n".join(texts).removesuffix(word).strip()
