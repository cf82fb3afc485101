"""bare: one free summary by the summariser, nothing else. What most products do by default."""

from __future__ import annotations

from collections.abc import Sequence

from harness import tokens
from harness.errors import UserError
from harness.strategies.base import Context, Strategy, system_of
from harness.text import carried_message
from harness.types import Compaction, Message


class Bare(Strategy):
    """One natural-language summary, nothing else (the study's baseline).

    summary_tokens: a fixed size for the sweep 200 / 500 / 1000 / 3000; None takes the budget's. A
    matched total goes before it, and a note says so.
    """

    name = "bare"
    source = "study"
    keeps = "a free summary"

    def __init__(self, summary_tokens: int | None = None) -> None:
        if summary_tokens is not None and (type(summary_tokens) is not int or summary_tokens < 1):
            raise UserError(
                f"strategy.summary_tokens: expected a number of 1 or more, or null, "
                f"found {summary_tokens!r}"
            )
        self.summary_tokens = summary_tokens

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        budget = self.summary_tokens or ctx.budget.summary(tokens.count_view(history))
        total, notes = ctx.budget.total, ()
        if total is not None and budget > total:
            budget, notes = total, (f"summary_tokens_over_total:{budget}",)
        summary = await ctx.summarise(history, budget)
        view = [*system_of(history), carried_message([("summary", summary)], history)]
        return Compaction(view=view, artefacts={"summary": summary}, notes=notes)
