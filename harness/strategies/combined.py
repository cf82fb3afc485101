"""combined: memory for constraints, files and naming; a card for the progress pointer."""

from __future__ import annotations

from collections.abc import Sequence

from harness import tokens
from harness.strategies.base import Context, Strategy, system_of
from harness.strategies.engram import Engram
from harness.strategies.long_mem import LongMem
from harness.strategies.steps import state_of
from harness.text import carried_message
from harness.transcript import Turn
from harness.types import Compaction, Message


class Combined(Strategy):
    """long_mem's store holds constraints, files, naming; the card only done and open sub-goals.

    Each part as the study found it strongest. fields: of the card, see Engram. kinds, filter,
    store, prefill, extraction: see LongMem; the state is extracted once for both.
    """

    name = "combined"
    source = "study"
    calls = 1
    keeps = "rules, files and names in a store, progress on a card"
    inputs = ("prefill",)
    paths = ("prefill", "store")

    def __init__(
        self,
        fields: Sequence[str] = ("progress",),
        kinds: Sequence[str] = ("constraints", "files", "naming"),
        filter: str = "task",
        store: str | None = None,
        prefill: str | None = None,
        extraction: str = "rules",
    ) -> None:
        self._memory = LongMem(kinds, filter, store, prefill, extraction)
        self._card = Engram(fields=fields, extraction=extraction)
        self.calls = self._memory.calls
        self._card_tokens = 0

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        known = await self._memory.recalled(history, ctx)
        state, notes = await state_of(known, ctx, self._memory.extraction)
        stored = await self._memory.keep(state, history, ctx)
        card, cuts = self._card.card(state, history, ctx)
        self._card_tokens = tokens.count(card)
        reserved, told = await self._memory.reserve(ctx, self._limit(ctx))
        reserved += self._card_tokens
        budget = ctx.budget.summary(tokens.count_view(history), reserved=reserved)
        parts = [("card", card), ("summary", await ctx.summarise(history, budget))]
        return Compaction(
            view=[*system_of(history), carried_message(parts, history)],
            artefacts={**dict(parts), "stored": stored},
            notes=(*notes, *cuts, *told),
        )

    def _limit(self, ctx: Context) -> int:
        """Most tokens of one injected message: what the card leaves of a matched total."""
        limit, total = self._memory.limit(ctx), ctx.budget.total
        return limit if total is None else min(limit, max(0, total - self._card_tokens))

    async def before_turn(self, view: list[Message], ctx: Context) -> list[Message]:
        return await self._memory.inject(view, ctx, self._limit(ctx))

    async def after_turn(self, turn: Turn, ctx: Context) -> None:
        await self._memory.after_turn(turn, ctx)
