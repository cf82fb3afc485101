"""split and wipe: next to nothing goes over the seam. Also what others of their source begin from.

The word of the user that stays is a plain message, so a seam after it finds it again.
"""

from __future__ import annotations

from collections.abc import Sequence

from harness import tokens
from harness.strategies.base import Context, Strategy, system_of
from harness.strategies.keep import Group, flat, newest, opened, own_groups, said
from harness.text import carried_message
from harness.types import Compaction, Message

BASES = ("summary", "wipe")


class Split(Strategy):
    """A fresh session instead of a compaction: the request is the whole hand-over.

    Trigger: the person's, at a session's end.
    """

    name = "split"
    source = "seed 002"
    keeps = "the request alone"
    calls = 0

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        return _only(history, said(own_groups(history))[:1], ctx.budget.total)


class Wipe(Strategy):
    """Everything goes but the user's last message: the second seed's simulated compaction."""

    name = "wipe"
    source = "seed 002"
    keeps = "the user's last message alone"
    calls = 0

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        return _only(history, said(own_groups(history))[-1:], ctx.budget.total)


def _only(
    history: Sequence[Message], wanted: Sequence[Group], room: int | None, card: str = ""
) -> Compaction:
    """A view of a card and of what the user said in `wanted`, as far as it has room."""
    kept, _ = newest(wanted, room)
    notes = ("request_over_budget",) * (len(kept) < len(wanted))
    if not card:
        return Compaction(view=opened(history, kept), notes=notes)
    opening = carried_message([("card", card)], history)
    view = [*system_of(history), opening, *flat(kept)]
    return Compaction(view=view, artefacts={"card": card}, notes=notes)


async def begun_anew(
    base: str, history: Sequence[Message], ctx: Context, card: str = "", hidden: int = 0
) -> Compaction:
    """The view that a strategy's own means stand beside, from one of BASES, with its card in it.

    summary: a free one, as bare's. wipe: the user's last message alone. hidden: tokens that the
    strategy will show outside this view, which the summary must leave free.
    """
    reserved = tokens.count(card) + hidden
    if base == "summary":
        budget = ctx.budget.summary(tokens.count_view(history), reserved=reserved)
        parts = {"card": card, "summary": await ctx.summarise(history, budget)}
        view = [*system_of(history), carried_message(list(parts.items()), history)]
        return Compaction(view=view, artefacts=parts)
    total = ctx.budget.total
    room = None if total is None else max(0, total - reserved)
    return _only(history, said(own_groups(history))[-1:], room, card)
