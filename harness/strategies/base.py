"""The strategy protocol, what a strategy is given, and small shared steps."""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, Protocol

from harness import tokens
from harness.text import content_text
from harness.transcript import Turn
from harness.types import Compaction, Message, Recovery, Reply, Setup, ToolCall, Usage

SUMMARY_PROMPT = (
    "The conversation above is about to be removed from your context. Write a summary of it in "
    "plain prose for whoever continues the work, in the language of the conversation. Use at most "
    "{budget} tokens."
)

Complete = Callable[..., Awaitable[Reply]]


class WorkspaceView(Protocol):
    """What a strategy may see of the workspace: reading only. `text` is None where no file is."""

    def status(self) -> str: ...
    def diff(self) -> str: ...
    def log(self) -> str: ...
    def text(self, path: str) -> str | None: ...


@dataclass(frozen=True)
class Budget:
    """Token limits on what a strategy puts into one view.

    total: all of summary, card and injection; None where each has its own limit ("study").
    summary_share: share of the history's tokens; card: limit of a card or of injected items.
    """

    mode: Literal["study", "matched"]
    total: int | None
    summary_share: float
    card: int

    def summary(self, history_tokens: int, reserved: int = 0) -> int:
        """Tokens left to a summary after `reserved` ones for card or injection."""
        if self.total is not None:
            return max(0, self.total - reserved)
        return max(1, round(history_tokens * self.summary_share))


@dataclass
class Context:
    """What a strategy is given. It never holds anything of a fixture.

    handle: opaque name of the task, the same for all trials of it. complete: the summariser.
    extractor: asked for a state where a strategy has extraction=model; None: the summariser is.
    folder: a private folder of this trial. write: puts a text file into the workspace, one of the
    strategy's `owned` globs; anything else raises ValueError. summary_prompt: how a summary is
    asked for where the strategy has no words of its own. extraction: what the extractor used; all
    else goes to `usage`. notes: go into the record.
    """

    handle: str
    workspace: WorkspaceView
    complete: Complete
    budget: Budget
    folder: Path
    write: Callable[[str, str], None]
    summary_prompt: str = SUMMARY_PROMPT
    extractor: Complete | None = None
    usage: Usage = field(default_factory=Usage)
    extraction: Usage = field(default_factory=Usage)
    notes: list[str] = field(default_factory=list)

    def reserve(self, size: int) -> None:
        """Take tokens from a matched total: an add-on's share, before its strategy compacts."""
        if self.budget.total is not None:
            left = max(0, self.budget.total - size)
            self.budget = replace(self.budget, total=left)

    async def summarise(
        self, history: Sequence[Message], budget: int, prompt: str | None = None
    ) -> str:
        """A summary of the history within `budget` tokens; its cost goes to `usage`.

        `{budget}` in the prompt is replaced. What goes wrong is handled here for all strategies
        and put into `notes`, which reach the record: `no_room` (budget 0, nobody is asked),
        `empty_summary` (stays empty), `summary_cut` (over its budget, or ended by the limit: cut
        there), `summary_not_shorter` (as long as what it sums up: nothing was condensed).
        """
        if budget <= 0:
            self.notes.append("no_room")
            return ""
        prompt = prompt or self.summary_prompt
        # Not str.format: a prompt may quote a draft, and drafts have braces.
        request = {"role": "user", "content": prompt.replace("{budget}", str(budget))}
        reply = await self.complete([*history, request], max_tokens=budget)
        self.usage = self.usage + reply.usage
        text = content_text(reply.message).strip()
        size = tokens.count(text)
        if not text:
            self.notes.append("empty_summary")
        if size > budget or (text and reply.finish_reason == "length"):
            self.notes.append("summary_cut")
        if text and size >= tokens.count_view(history):
            self.notes.append("summary_not_shorter")
        return tokens.cut(text, budget)


class Strategy:
    """Base of all strategies: does nothing but what a subclass overrides.

    prefix: "shared", or "own" where it changes what happens before the seam. owned: globs of
    workspace files that belong to the strategy, not to the work; what a strategy with a prefix of
    its own must remember over the seam stands in them. source, keeps: for the list of strategies,
    where it comes from and what it carries. calls: summariser calls at a seam. fixed_tokens: what
    the constant words of its view (markers, frame, word to go on) may take beside `Budget.total`.
    inputs: names of the options that are files it reads beforehand; a registration covers them.
    paths: names of the options that say where a file lies, which no arm's name tells.
    reads_workspace: whether it looks into the workspace, which only the built-in loop has.
    """

    name = ""
    prefix: Literal["shared", "own"] = "shared"
    owned: Sequence[str] = ()
    source = "one's own"
    keeps = ""
    calls = 1
    fixed_tokens = 48
    inputs: Sequence[str] = ()
    paths: Sequence[str] = ()
    reads_workspace = False

    def start(self) -> Setup:
        """What is there before the work begins; only asked where the prefix is its own."""
        return Setup()

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        """The view after the seam, from the history before it."""
        raise NotImplementedError

    async def recover(
        self, view: Sequence[Message], turns: Sequence[Turn], ctx: Context
    ) -> Recovery | None:
        """The next step of the recovery phase after the `turns` it took so far; None ends it."""
        return None

    def refuse(self, call: ToolCall, ctx: Context) -> str | None:
        """Why a call is not carried out, told to the agent as its result; None lets it through."""
        return None

    async def before_turn(self, view: list[Message], ctx: Context) -> list[Message]:
        """The view to show at the coming turn; transient, never accumulated."""
        return view

    async def after_turn(self, turn: Turn, ctx: Context) -> None:
        """Keep state up to date."""


class AddOn(Strategy):
    """A strategy around another one: passes everything on but what a subclass overrides.

    The class's own `calls` and `fixed_tokens` come on top of those of the strategy within.
    """

    calls = 0
    fixed_tokens = 0

    def __init__(self, inner: Strategy) -> None:
        self.inner = inner
        self.name = inner.name
        self.prefix = inner.prefix
        self.owned = inner.owned
        self.reads_workspace = inner.reads_workspace or type(self).reads_workspace
        self.calls = inner.calls + type(self).calls
        self.fixed_tokens = inner.fixed_tokens + type(self).fixed_tokens

    def start(self) -> Setup:
        return self.inner.start()

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        return await self.inner.compact(history, ctx)

    async def recover(
        self, view: Sequence[Message], turns: Sequence[Turn], ctx: Context
    ) -> Recovery | None:
        return await self.inner.recover(view, turns, ctx)

    def refuse(self, call: ToolCall, ctx: Context) -> str | None:
        return self.inner.refuse(call, ctx)

    async def before_turn(self, view: list[Message], ctx: Context) -> list[Message]:
        return await self.inner.before_turn(view, ctx)

    async def after_turn(self, turn: Turn, ctx: Context) -> None:
        await self.inner.after_turn(turn, ctx)


def system_of(history: Sequence[Message]) -> list[Message]:
    """The leading system messages of a history; every view keeps them."""
    return list(itertools.takewhile(lambda m: m["role"] in ("system", "developer"), history))
