"""recent_n, sliding_window, decay: the newest stay, no model is asked."""

from __future__ import annotations

from collections.abc import Sequence

from harness import tokens
from harness.strategies.base import Context, Strategy
from harness.strategies.keep import Group, least, newest, opened, own_groups, said, shorten
from harness.text import content_text
from harness.types import Compaction, Message


class RecentN(Strategy):
    """The newest messages, in whole groups; an older summary or note is dropped.

    messages: how many at most (5: the size of the published comparison); one turn with more of
    them is kept whole. Trigger: none of its own, it was studied at forced compactions.
    """

    name = "recent_n"
    source = "field"
    keeps = "the newest messages"
    calls = 0

    def __init__(self, messages: int = 5) -> None:
        self.messages = messages

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        kept, _ = newest(own_groups(history), ctx.budget.total, self.messages)
        return Compaction(view=opened(history, kept))


class SlidingWindow(Strategy):
    """The user's first message and the newest share of the rest, in whole groups.

    share: of the tokens after the first message (0.8: a trimming agent's usual value). Product's
    trigger: 90 % of the window.
    """

    name = "sliding_window"
    source = "field"
    keeps = "the request and the newest share of the rest"
    calls = 0

    def __init__(self, share: float = 0.8) -> None:
        self.share = share

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        own = own_groups(history)
        first = said(own)[:1]
        rest = [group for group in own if all(group is not each for each in first)]
        head, used = newest(first, ctx.budget.total)
        room = round(sum(tokens.count_view(group) for group in rest) * self.share)
        left = None if ctx.budget.total is None else ctx.budget.total - used
        kept, _ = newest(rest, least(room, left))
        notes = () if len(head) == len(first) else ("request_over_budget",)
        return Compaction(view=opened(history, [*head, *kept]), notes=notes)


class Decay(Strategy):
    """The older a group, the fewer characters of each text of it stay, until it goes altogether.

    fresh_chars: of a text of the newest group (4000: some 1000 tokens, most whole files).
    half_life: groups after which the limit has halved (8: a few steps of work). floor_chars: limit
    under which a group goes (200: less than two lines tell nothing). Arguments of calls stay whole,
    as half of them would be no JSON. Trigger: none of its own.
    """

    name = "decay"
    source = "field"
    keeps = "less of a message the older it is"
    calls = 0

    def __init__(self, fresh_chars: int = 4000, half_life: int = 8, floor_chars: int = 200) -> None:
        self.fresh_chars = fresh_chars
        self.half_life = half_life
        self.floor_chars = floor_chars

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        kept: list[Group] = []
        for age, group in enumerate(reversed(own_groups(history))):
            limit = round(self.fresh_chars * 0.5 ** (age / self.half_life))
            if limit < self.floor_chars:
                break
            kept.insert(0, [_shortened(message, limit) for message in group])
        kept, _ = newest(kept, ctx.budget.total)
        return Compaction(view=opened(history, kept))


def _shortened(message: Message, limit: int) -> Message:
    text = content_text(message)
    return message if len(text) <= limit else {**message, "content": shorten(text, limit)}
