"""engram: a fixed-format state card heads the summary and is not left to the summariser."""

from __future__ import annotations

from collections.abc import Sequence

from harness import tokens
from harness.errors import UserError
from harness.extract import extract
from harness.strategies.base import Context, Strategy, system_of
from harness.strategies.card import ALL_FIELDS, FIELDS, STATE_FIELDS, render_card
from harness.strategies.steps import (
    EXTRACTIONS,
    FRAME_TOKENS,
    require_choice,
    state_of,
    with_plan,
)
from harness.text import carried, carried_message
from harness.types import Compaction, Message, State


class Engram(Strategy):
    """State card (constraints, files, naming, decisions, progress) before the summary.

    fields: which fields the card has, in order; constraints or progress alone, and all eight, are
    the study's ablations. budget: hard limit in tokens, since a card that grows with the task
    crowds out the work; "none" shows how far it grows, None takes the budget's. mode: "proactive"
    keeps the card up at every turn after the seam, so that it does not go stale: it stands at the
    end of each view, as it is by then, and not before the summary, where a second, older card would
    take the room of the summary (up to the seam nothing differs: extraction from a whole history
    gives what keeping it up would have). plan: "shared" takes the pointer word for
    word from the agent's last plan call, so that planner and card cannot disagree. from_share: a
    card only from this share of finished sub-goals on, by its own extraction, else as bare: the
    study found early loss mild. extraction: "model" asks the model for the state, rules where its
    answer is not of the right shape.
    """

    name = "engram"
    source = "study"
    calls = 1
    keeps = "a state card before the summary"

    def __init__(
        self,
        fields: Sequence[str] = FIELDS,
        budget: int | str | None = None,
        mode: str = "seam",
        plan: str = "own",
        from_share: float = 0.0,
        extraction: str = "rules",
    ) -> None:
        self.fields = [require_choice("fields", field, ALL_FIELDS) for field in fields]
        if isinstance(budget, str) and budget != "none":
            raise UserError(f"strategy.budget: expected tokens, none or null, found {budget!r}")
        if not 0 <= from_share <= 1:
            raise UserError(f"strategy.from_share: expected 0 to 1, found {from_share!r}")
        self.budget = budget
        self.mode = require_choice("mode", mode, ("seam", "proactive"))
        self.plan = require_choice("plan", plan, ("own", "shared"))
        self.from_share = from_share
        self.extraction = require_choice("extraction", extraction, EXTRACTIONS)
        self.calls = 1 + (extraction == "model")
        self._state: State | None = None

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        state, notes = await state_of(self._known(history), ctx, self.extraction)
        card, more = self.card(state, history, ctx)
        reserved, name = tokens.count(card), "card"
        if card and self.mode == "proactive":
            # Later cards may be longer than this one, which the first turn's view will show.
            reserved, name = (self.limit(ctx) or reserved) + FRAME_TOKENS, "stored"
        budget = ctx.budget.summary(tokens.count_view(history), reserved=reserved)
        parts = {name: card, "summary": await ctx.summarise(history, budget)}
        shown = [part for part in parts.items() if part[0] != "stored"]
        return Compaction(
            view=[*system_of(history), carried_message(shown, history)],
            artefacts=parts,
            notes=(*notes, *more),
        )

    def limit(self, ctx: Context) -> int | None:
        """The card's hard limit in tokens; None where there is none."""
        if self.budget == "none":
            return None
        limit, total = int(self.budget or ctx.budget.card), ctx.budget.total
        if total is not None and self.mode == "proactive":
            total = max(0, total - FRAME_TOKENS)
        return limit if total is None else min(limit, total)

    def card(self, state: State, history: Sequence[Message], ctx: Context) -> tuple[str, list[str]]:
        """Card text and notes for the state of a history; "" where it is too early for one."""
        notes: list[str] = []
        if self.plan == "shared":
            state, notes = with_plan(state, history)
        share = len(state.done) / (len(state.done) + len(state.open) or 1)
        self._state = state if share >= self.from_share else None
        if self._state is None:
            return "", [*notes, f"below_from_share:{share:.2f}"]
        text, cuts = render_card(state, self.fields, self.limit(ctx))
        return text, [*notes, *cuts]

    async def before_turn(self, view: list[Message], ctx: Context) -> list[Message]:
        if self.mode == "seam" or self._state is None:
            return view
        # By rules even if a model made the seam's card: a call a turn would be paid twice.
        state = extract(self._known(view))
        if self.plan == "shared":
            state, _ = with_plan(state, view)
        text, cuts = render_card(state, self.fields, self.limit(ctx))
        over = "constraints_over_budget"
        if over in cuts and over not in ctx.notes:
            ctx.notes.append(over)
        return [*view, {"role": "user", "content": carried("card", text)}] if text else view

    def _known(self, history: Sequence[Message]) -> list[Message]:
        """A history since a seam, headed by that seam's uncut card where the view holds none."""
        if self.mode == "seam" or self._state is None:
            return list(history)
        head = system_of(history)
        card, _ = render_card(self._state, STATE_FIELDS, None)
        told = {"role": "user", "content": carried("card", card)}
        return [*head, told, *history[len(head) :]]
