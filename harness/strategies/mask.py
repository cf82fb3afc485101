"""observation_mask and clear_tool_results: the course of work stays, old tool output goes."""

from __future__ import annotations

from collections.abc import Sequence

from harness.strategies.base import Context, Strategy
from harness.strategies.keep import mask, newest, opened, own_groups
from harness.types import Compaction, Message


class ObservationMask(Strategy):
    """All that was said and called; of the results only the newest, one line for each other.

    last: results kept (10: the value of the published study). Product's trigger: before every
    call of the model.
    """

    name = "observation_mask"
    source = "field"
    keeps = "all words and calls, the last results"
    calls = 0

    def __init__(self, last: int = 10) -> None:
        self.last = last

    def masked(self, tool: str) -> bool:
        """True where results of this tool may be left out."""
        return True

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        own = own_groups(history)
        kept, _ = newest(mask(own, self.last, self.masked), ctx.budget.total)
        notes = () if len(kept) == len(own) else ("oldest_dropped",)
        return Compaction(view=opened(history, kept), notes=notes)


class ClearToolResults(ObservationMask):
    """The same with fewer results kept, and tools whose results are never cleared.

    last: 3, the usual value of the products' context editing; exclude: names of tools, none by
    default, as there. Product's trigger: 100,000 input tokens.
    """

    name = "clear_tool_results"

    def __init__(self, last: int = 3, exclude: Sequence[str] = ()) -> None:
        super().__init__(last)
        self.exclude = list(exclude)

    def masked(self, tool: str) -> bool:
        return tool not in self.exclude
