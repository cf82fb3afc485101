"""pinned, user_turns, codex_handoff: the user's own words verbatim beside a summary."""

from __future__ import annotations

from collections.abc import Sequence

from harness import tokens
from harness.extract import extract
from harness.strategies.base import SUMMARY_PROMPT, Context, Strategy, system_of
from harness.strategies.card import render_card
from harness.strategies.keep import Group, flat, least, newest, own_groups, said, verbatim_room
from harness.text import carried_message
from harness.types import Compaction, Message

HANDOFF_PROMPT = (
    "Another model, which cannot see this conversation, will take over the work from here. Write "
    "its handover in the language of the conversation: the goal; how far the work is and what was "
    "decided; the limits and wishes that the user has set; the steps that remain, in order; the "
    "paths, names, commands and values it cannot do without. Be exact and brief. Use at most "
    "{budget} tokens."
)
HANDOFF_PREFIX = (
    "A different model did the work up to here and left this handover. Build on what is done "
    "instead of doing it again; the files are as that model left them."
)


class Pinned(Strategy):
    """The user's first messages and standing rules, outside what is summed up, beside a summary.

    first: user messages pinned whole (1: the request). rules: the user's standing rules are pinned
    too, sentence by sentence, as a list that a later compaction reads back. Product's trigger:
    that of the compaction it guards.
    """

    name = "pinned"
    source = "field"
    keeps = "the request and the user's rules verbatim, a summary"

    def __init__(self, first: int = 1, rules: bool = True) -> None:
        self.first = first
        self.rules = rules

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        room = verbatim_room(ctx.budget)
        fields = ("constraints",) if self.rules else ()
        card, notes = render_card(extract(list(history)), fields, room)
        if room is not None:
            card = tokens.cut(card, room)  # a note of the card tells
        wanted = said(own_groups(history))[: self.first]
        pinned = _oldest(wanted, None if room is None else room - tokens.count(card))
        notes += ["pins_cut"] * (len(pinned) < len(wanted))
        reserved = tokens.count(card) + tokens.count_view(flat(pinned))
        budget = ctx.budget.summary(tokens.count_view(history), reserved=reserved)
        parts = [("card", card), ("summary", await ctx.summarise(history, budget))]
        view = [*system_of(history), *flat(pinned), carried_message(parts, history)]
        return Compaction(view=view, artefacts=dict(parts), notes=tuple(notes))


class UserTurns(Strategy):
    """The user's own messages verbatim, newest first to stay, then a summary.

    user_tokens: of these messages; None keeps all. Trigger: that of the summary it goes with.
    """

    name = "user_turns"
    source = "field"
    keeps = "all of the user's messages verbatim, a summary"
    prompt = SUMMARY_PROMPT
    prefix_words = ""

    def __init__(self, user_tokens: int | None = None) -> None:
        self.user_tokens = user_tokens

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        room = verbatim_room(ctx.budget)
        if self.user_tokens is not None:
            room = least(self.user_tokens, room)
        own = said(own_groups(history))
        kept, used = newest(own, room)
        budget = ctx.budget.summary(tokens.count_view(history), reserved=used)
        summary = await ctx.summarise(history, budget, self.prompt)
        shown = f"{self.prefix_words}\n\n{summary}".strip() if summary else ""
        view = [*system_of(history), *flat(kept), carried_message([("summary", shown)], history)]
        notes = ("user_messages_cut",) if len(kept) < len(own) else ()
        return Compaction(view=view, artefacts={"summary": summary}, notes=notes)


class CodexHandoff(UserTurns):
    """A handover for another model, after the user's newest messages.

    user_tokens: of these messages (20,000, as in the product). Product's trigger: 90 % of the
    window.
    """

    name = "codex_handoff"
    keeps = "the user's newest messages, a handover for another model"
    prompt = HANDOFF_PROMPT
    prefix_words = HANDOFF_PREFIX
    fixed_tokens = 84  # the usual 48, and the words before the handover

    def __init__(self, user_tokens: int | None = 20_000) -> None:
        super().__init__(user_tokens)


def _oldest(wanted: Sequence[Group], room: int | None) -> list[Group]:
    """The first of the groups, as far as they fit into `room` tokens together."""
    kept: list[Group] = []
    for group in wanted:
        if room is not None and tokens.count_view(flat([*kept, group])) > room:
            break
        kept.append(group)
    return kept
