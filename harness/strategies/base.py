"""The strategy protocol, what a strategy is given, and small shared steps."""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from harness import tokens
from harness.transcript import Turn
from harness.types import Compaction, Message, Recovery, Reply, Usage

SUMMARY_PROMPT = (
    "The conversation above is about to be removed from your context. Write a summary of it in "
    "plain prose for whoever continues the work, in the language of the conversation. Use at most "
    "{budget} tokens."
)

Complete = Callable[..., Awaitable[Reply]]


class WorkspaceView(Protocol):
    """What a strategy may see of the workspace: reading only."""

    def status(self) -> str: ...
    def diff(self) -> str: ...
    def log(self) -> str: ...


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
    folder: a private folder of this trial.
    """

    handle: str
    workspace: WorkspaceView
    complete: Complete
    budget: Budget
    folder: Path
    usage: Usage = field(default_factory=Usage)

    async def summarise(self, history: Sequence[Message], budget: int) -> str:
        """A free summary of the history within `budget` tokens; its cost goes to `usage`.

        A summary over its budget is cut at a line; an empty one stays empty. Both are visible
        in the record's `view_tokens`.
        """
        if budget <= 0:
            return ""
        request = {"role": "user", "content": SUMMARY_PROMPT.format(budget=budget)}
        reply = await self.complete([*history, request], max_tokens=budget)
        self.usage = self.usage + reply.usage
        return tokens.cut(reply.message.get("content") or "", budget)


class Strategy:
    """Base of all strategies: does nothing but what a subclass overrides.

    prefix: "shared", or "own" where it changes what happens before the seam. owned: globs of
    workspace files that belong to the strategy, not to the work.
    """

    name = ""
    prefix: Literal["shared", "own"] = "shared"
    owned: Sequence[str] = ()

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        """The view after the seam, from the history before it."""
        raise NotImplementedError

    async def recover(self, view: Sequence[Message], ctx: Context) -> Recovery | None:
        """The declared recovery phase, None for none."""
        return None

    async def before_turn(self, view: list[Message], ctx: Context) -> list[Message]:
        """The view to show at the coming turn; transient, never accumulated."""
        return view

    async def after_turn(self, turn: Turn, ctx: Context) -> None:
        """Keep state up to date."""


def system_of(history: Sequence[Message]) -> list[Message]:
    """The leading system messages of a history; every view keeps them."""
    return list(itertools.takewhile(lambda m: m["role"] in ("system", "developer"), history))
