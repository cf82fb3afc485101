"""One request of a session: what the agent sent, cut by the strategy where it is too long."""

from __future__ import annotations

import asyncio
import copy
import json
import logging
import shutil
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from harness import tokens
from harness.gateway.fit import NoWorkspace
from harness.gateway.session_log import SessionLogs
from harness.strategies.base import Budget, Context, Strategy, system_of
from harness.text import content_text, digest
from harness.transcript import Done, Turn
from harness.types import Message, Reply, Usage

log = logging.getLogger(__name__)

Ask = Callable[..., Awaitable[Reply]]

KEPT = 1000
"""Sessions, and seams of each, that are remembered; the least recently used go first."""


@dataclass(frozen=True)
class Settings:
    """What the strategy has to work with.

    make: a new strategy. complete: the summariser, also given `model_name`; extractor: of states,
    the same way; None: the summariser. window: tokens that
    messages, tools and injection together may have. trigger: share of the window beyond which the
    history is cut. folder: private folders of the strategy. log: where to write sessions, if at
    all.
    """

    make: Callable[[], Strategy]
    complete: Ask
    window: int
    budget: Budget
    folder: Path
    trigger: float = 0.8
    log: Path | None = None
    extractor: Ask | None = None


@dataclass(frozen=True)
class Seam:
    """Where a history was cut: its first `at` messages are now `base`, put in by the strategy.

    given: tokens of those messages. followed: hashes up to which turns are known to the strategy.
    """

    at: int
    given: int
    base: tuple[Message, ...]
    strategy: Strategy
    ctx: Context
    number: int
    followed: set[str]


@dataclass(frozen=True)
class History:
    """What an agent sent, from the user's first word on.

    given: as it came; read: as strategies and files can take it; hashes: of its first 0, 1, 2 ...
    messages.
    """

    given: list[Message]
    read: list[Message]
    hashes: list[str]


@dataclass
class Session:
    """One conversation, or several that began alike. tips: hashes of the histories so far.

    newest: the last history, while it is kept.
    """

    name: str
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    seams: OrderedDict[str, Seam] = field(default_factory=OrderedDict)
    tips: OrderedDict[str, None] = field(default_factory=OrderedDict)
    made: int = 0
    requests: int = 0
    given: int = 0
    shown: int = 0
    rewritten: int = 0
    usage: Usage = field(default_factory=Usage)
    logs: SessionLogs | None = None
    newest: History | None = None


class Work:
    """One request of a session, from what the agent sent to what is passed on."""

    def __init__(
        self,
        settings: Settings,
        session: Session,
        head: list[Message],
        history: History,
        request: Mapping[str, Any],
    ) -> None:
        self.settings = settings
        self.session = session
        self.head, self.rest, self.hashes = head, history.read, history.hashes
        self.model = str(request.get("model"))
        # Tools and instructions are cut by nobody, but they take their share of the window.
        beside = [request.get("tools") or [], request.get("instructions") or ""]
        self.fixed = tokens.count_view(self.head)
        self.fixed += tokens.count(json.dumps(beside, ensure_ascii=False))
        self.seam = self._known()
        self.log = session.logs.of(self.head, self.hashes) if session.logs else None

    @property
    def at(self) -> int:
        return self.seam.at if self.seam else 0

    @property
    def view_now(self) -> list[Message]:
        base = self.seam.base if self.seam else ()
        return [*self.head, *base, *self.rest[self.at :]]

    async def view(self) -> list[Message]:
        """The view to pass on, after as many seams as it takes."""
        if self.seam:
            await self._follow(self.seam)
        while (cut := self._cut(self.settings.window * self.settings.trigger)) is not None:
            await self._compact(cut)
        while True:
            shown = await self._injected()
            injected = tokens.count_view(shown) - tokens.count_view(self.view_now)
            cut = self._cut(self.settings.window - injected)
            if cut is None:
                break
            await self._compact(cut)
        if self.log:
            self.log.add(self.rest, self.hashes, len(self.rest))
            self.log.show(shown)
        self._count(shown)
        return shown

    async def _follow(self, seam: Seam) -> None:
        """Tell the strategy of the turns since the last request."""
        for at in range(seam.at, len(self.rest)):
            if self.rest[at]["role"] == "assistant" and self.hashes[at + 1] not in seam.followed:
                seam.followed.add(self.hashes[at + 1])
                await seam.strategy.after_turn(turn_at(self.rest, at), seam.ctx)

    async def _injected(self) -> list[Message]:
        if self.seam is None:
            return self.view_now
        return await self.seam.strategy.before_turn(self.view_now, self.seam.ctx)

    def _known(self) -> Seam | None:
        """The newest seam whose history this one begins with."""
        seams, tips = self.session.seams, self.session.tips
        newest = next((h for h in reversed(self.hashes) if h in seams), None)
        seam = seams[newest] if newest else None
        if newest:
            seams.move_to_end(newest)
        tip = next((h for h in reversed(self.hashes) if h in tips), None)
        if tip:
            del tips[tip]
        elif tips:
            self.session.rewritten += 1
            text = "session %s: a history that goes on from none before it; taken up from %s"
            log.warning(text, self.session.name, f"seam {seam.number}" if seam else "its beginning")
        tips[self.hashes[-1]] = None
        while len(tips) > KEPT:
            tips.popitem(last=False)
        return seam

    def _cut(self, limit: float) -> int | None:
        """Where to cut so that at most `limit` tokens are summed up; None where all fits, or where
        nothing is left to cut but the newest turn, which the model has not answered yet.
        """
        size = self.fixed + tokens.count_view(self.seam.base if self.seam else ())
        best = None
        newest = newest_turn(self.rest)
        for at in range(self.at, len(self.rest)):
            if self.at < at <= newest and self.rest[at]["role"] != "tool":
                if size > limit:
                    return best or at
                best = at
            size += tokens.count_message(self.rest[at])
        return best if size > limit else None

    async def _compact(self, cut: int) -> None:
        """Let the strategy replace everything before `cut`."""
        old, session = self.seam, self.session
        strategy = copy.deepcopy(old.strategy) if old else self.settings.make()
        ctx = self._context(old)
        base = old.base if old else ()
        history = [*system_of(self.head), *base, *self.rest[self.at : cut]]
        compaction = await strategy.compact(history, ctx)
        view = compaction.view[len(system_of(compaction.view)) :]
        session.made += 1
        used = compaction.usage + ctx.usage + ctx.extraction
        session.usage = session.usage + used
        given = tokens.count_view(self.rest[self.at : cut]) + (old.given if old else 0)
        number, known = (old.number if old else 0) + 1, set(self.hashes[cut:])
        self.seam = Seam(cut, given, tuple(view), strategy, ctx, number, known)
        session.seams[self.hashes[cut]] = self.seam
        while len(session.seams) > KEPT:
            session.seams.popitem(last=False)
        notes = [*compaction.notes, *ctx.notes]
        log.info("session %s: seam %d %s", session.name, self.seam.number, " ".join(notes))
        if self.log:
            self.log.add(self.rest, self.hashes, cut)
            after = [*self.head, *view, *self.rest[cut : self.log.written]]
            self.log.compact(after, compaction, used, notes)

    def _context(self, old: Seam | None) -> Context:
        """A context with a folder of its own, so that histories which part do not meet there.

        Its last part is the session's name: memories are filed under it.
        """
        number = self.session.made + 1
        folder = self.settings.folder / self.session.name / str(number) / self.session.name
        if old and old.ctx.folder.exists():
            shutil.copytree(old.ctx.folder, folder, dirs_exist_ok=True)

        def asking(ask: Ask) -> Ask:
            async def complete(messages: list[Message], **limits: Any) -> Reply:
                return await ask(messages, model_name=self.model, **limits)

            return complete

        extractor = self.settings.extractor
        return Context(
            handle=digest(["session", self.session.name])[:16],
            workspace=NoWorkspace(),
            complete=asking(self.settings.complete),
            extractor=asking(extractor) if extractor else None,
            budget=replace(self.settings.budget),
            folder=folder,
            write=NoWorkspace().write,
        )

    def _count(self, shown: Sequence[Message]) -> None:
        session = self.session
        session.requests += 1
        before = self.seam.given if self.seam else 0
        session.given = self.fixed + before + tokens.count_view(self.rest[self.at :])
        session.shown = self.fixed + tokens.count_view(shown[len(self.head) :])


def turn_at(messages: Sequence[Message], at: int) -> Turn:
    """The turn of the assistant's message at `at`, as far as an onlooker can tell: no files."""
    results = {}
    for message in messages[at + 1 :]:
        if message["role"] != "tool":
            break
        results[message.get("tool_call_id")] = content_text(message)
    calls = []
    for call in messages[at].get("tool_calls") or []:
        result, args = results.get(call["id"], ""), _arguments(call["function"]["arguments"])
        ok = not result.startswith("error")
        calls.append(Done(call["function"]["name"], args or {}, ok, result, malformed=args is None))
    number = sum(message["role"] == "assistant" for message in messages[: at + 1])
    return Turn(number, content_text(messages[at]), tuple(calls), {}, Usage())


def _arguments(text: str) -> dict[str, Any] | None:
    try:
        args = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return args if isinstance(args, dict) else None


def newest_turn(messages: Sequence[Message]) -> int:
    """Where the newest turn begins: what the model has not answered yet, with its call."""
    at = len(messages)
    while at and messages[at - 1]["role"] not in ("assistant", "tool"):
        at -= 1
    if at < len(messages):
        return at
    while at and messages[at - 1]["role"] == "tool":
        at -= 1
    return max(0, at - 1)
