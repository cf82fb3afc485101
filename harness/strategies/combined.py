"""combined: memory for constraints, files and naming; a card for the progress pointer."""

from __future__ import annotations

from collections.abc import Sequence

from harness import tokens
from harness.strategies.base import Context, Strategy, system_of
from harness.strategies.engram import Engram
from harness.strategies.long_mem import LongMem
from harness.text import carried_message
from harness.types import Compaction, Message


class Combined(Strategy):
    """long_mem's store holds constraints, files, naming; the card only done and open sub-goals."""

    name = "combined"

    def __init__(self) -> None:
        self._memory = LongMem(kinds=("constraints", "files", "naming"))
        self._card = Engram(fields=("progress",))

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        self._memory.store(history, ctx)
        memory = await self._memory.before_turn([], ctx)
        card, notes = self._card.card(history, ctx)
        reserved = tokens.count(card) + tokens.count_view(memory)
        budget = ctx.budget.summary(tokens.count_view(history), reserved=reserved)
        summary = await ctx.summarise(history, budget)
        parts = [("card", card), ("summary", summary)]
        return Compaction(
            view=[*system_of(history), carried_message(parts, history)],
            artefacts={**dict(parts), "stored": memory[0]["content"] if memory else ""},
            notes=tuple(notes),
        )

    async def before_turn(self, view: list[Message], ctx: Context) -> list[Message]:
        return await self._memory.before_turn(view, ctx)
