"""engram: a fixed-format state card heads the summary and is not left to the summariser."""

from __future__ import annotations

from collections.abc import Sequence

from harness import tokens
from harness.errors import UserError
from harness.extract import extract
from harness.strategies.base import Context, Strategy, system_of
from harness.strategies.card import ALL_FIELDS, FIELDS, render_card
from harness.text import carried_message, nearest
from harness.types import Compaction, Message


class Engram(Strategy):
    """State card (constraints, files, naming, decisions, progress) before the summary.

    fields: which fields the card has. budget: hard limit in tokens; "none" shows how far a card
    grows, None takes the budget's.
    """

    name = "engram"

    def __init__(self, fields: Sequence[str] = FIELDS, budget: int | str | None = None) -> None:
        for field in fields:
            if field not in ALL_FIELDS:
                near = nearest(field, ALL_FIELDS)
                raise UserError(f"strategy.fields: no field {field!r}; nearest: {near}")
        self.fields = list(fields)
        self.budget = budget

    def card(self, history: Sequence[Message], ctx: Context) -> tuple[str, list[str]]:
        """Card text and notes on what was cut, for a history."""
        if self.budget == "none":
            return render_card(extract(history), self.fields, None)
        return render_card(extract(history), self.fields, int(self.budget or ctx.budget.card))

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        card, notes = self.card(history, ctx)
        budget = ctx.budget.summary(tokens.count_view(history), reserved=tokens.count(card))
        summary = await ctx.summarise(history, budget)
        parts = [("card", card), ("summary", summary)]
        return Compaction(
            view=[*system_of(history), carried_message(parts, history)],
            artefacts=dict(parts),
            notes=tuple(notes),
        )
