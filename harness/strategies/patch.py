"""patch: a hand-over written once, pasted at every seam, never brought up to date."""

from __future__ import annotations

from collections.abc import Sequence

from harness import tokens
from harness.extract import extract
from harness.strategies.anew import BASES, begun_anew
from harness.strategies.base import Context, Strategy
from harness.strategies.card import FIELDS, render_card
from harness.strategies.keep import carried_parts, verbatim_room
from harness.strategies.steps import require_choice
from harness.types import Compaction, Message, State


class Patch(Strategy):
    """A card of the state as it was when the first step was done, stale by then and ever after.

    base: what stands beside it, a free summary or the user's last message alone.
    """

    name = "patch"
    source = "seed 002"
    keeps = "a hand-over that goes stale, a summary"

    def __init__(self, base: str = "summary") -> None:
        self.base = require_choice("base", base, BASES)
        self.calls = int(base == "summary")

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        pasted = carried_parts(history, "card")
        card = pasted[0] if pasted else render_card(first_state(history), FIELDS, None)[0]
        room = verbatim_room(ctx.budget)
        limit = ctx.budget.card if room is None else min(ctx.budget.card, room)
        made = await begun_anew(self.base, history, ctx, tokens.cut(card, limit))
        notes = ("card_cut",) if tokens.count(card) > limit else ()
        return Compaction(made.view, made.artefacts, notes=(*made.notes, *notes))


def first_state(history: Sequence[Message]) -> State:
    """State of a history up to where something in it was first done; of all where nothing was."""
    for end, message in enumerate(history, 1):
        if message["role"] == "assistant" and (state := extract(list(history[:end]))).done:
            return state
    return extract(list(history))
