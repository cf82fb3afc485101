"""iterative: one summary that every compaction updates, file lists by code, the newest verbatim."""

from __future__ import annotations

from collections.abc import Sequence

from harness import tokens
from harness.extract.events import events
from harness.strategies.base import Context, Strategy, system_of
from harness.strategies.card import render_card
from harness.strategies.headed import headed, marks_of
from harness.strategies.keep import (
    carried_parts,
    flat,
    groups,
    newest,
    share_room,
    shorten_results,
    verbatim_room,
)
from harness.text import carried_message, workspace_path
from harness.types import Compaction, FileRole, Message, State

HEADINGS = ("Goal", "Constraints", "Progress", "Decisions", "Next steps", "Critical context")
_FORM = """\
## Goal: what the user wants
## Constraints: limits, rules and preferences that the user stated
## Progress: done, in progress, blocked, each as a list
## Decisions: choices made, with the reason
## Next steps: what comes now, in order
## Critical context: paths, names, values, messages that the rest cannot do without"""

FIRST_PROMPT = f"""\
Sum up the conversation above for another agent that will go on from it. Use its language, and
these headings, each on a line of its own:
{_FORM}
Keep paths, names and error messages to the letter. Use at most {{budget}} tokens."""

UPDATE_PROMPT = f"""\
The conversation above opens with a summary of what came before it, between the lines
[carried:summary] and [/carried]. Bring that summary up to date with what has happened since. Keep
what still holds, word for word where you can; move what got done to the done ones; add new rules,
decisions and facts; take out only what was revoked. Same language, same headings:
{_FORM}
Use at most {{budget}} tokens."""


class Iterative(Strategy):
    """A structured summary, updated at every seam instead of written anew; newest part verbatim.

    recent_share: of the history's tokens, kept verbatim (0.1: the product keeps 20,000 of a window
    of 200,000, which would be all of a short history). result_chars: of each tool result that the
    summariser is shown (2000, as in the product). Files changed and read are listed by code from
    the calls, within the budget's limit of a card. Product's trigger: the window less 16,384.
    """

    name = "iterative"
    source = "field"
    keeps = "an updated summary, file lists by code, the newest messages"

    def __init__(self, recent_share: float = 0.1, result_chars: int = 2000) -> None:
        self.recent_share = recent_share
        self.result_chars = result_chars

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        own = groups(history)
        room = verbatim_room(ctx.budget)
        # Half of what stands beside the summary is for the lists, if there is a limit on both.
        files, notes = file_lists(history, ctx.budget.card if room is None else room // 2)
        kept, used = newest(own, share_room(history, self.recent_share, ctx.budget))
        if room is not None:
            kept, used = newest(kept, room - tokens.count(files))
        older = [*system_of(history), *flat(own[: len(own) - len(kept)])]
        prompt = UPDATE_PROMPT if carried_parts(older, "summary") else FIRST_PROMPT
        reserved = used + tokens.count(files)
        budget = ctx.budget.summary(tokens.count_view(history), reserved=reserved)
        shown = shorten_results(older, self.result_chars)
        summary = await headed(ctx, shown, budget, prompt, marks_of(HEADINGS))
        parts = [("summary", summary), ("card", files)]
        opening = carried_message(parts, history)
        view = [*system_of(history), opening, *flat(kept)]
        return Compaction(view=view, artefacts=dict(parts), notes=tuple(notes))


def file_lists(history: Sequence[Message], budget: int) -> tuple[str, list[str]]:
    """Files changed, then files only read, each newest first; with notes on what was cut.

    From the calls (a write that failed is none), and from lists that were carried over.
    """
    changed: dict[str, None] = {}
    read: dict[str, None] = {}
    for event in events(list(history)):
        touched = [(event.text, event.kind)] if event.kind in ("edit", "read") else []
        if event.card:  # listed newest first
            listed = reversed(event.card.files)
            touched = [(f.path, "read" if f.role == "read_only" else "edit") for f in listed]
        for path, kind in touched:
            book = changed if kind == "edit" else read
            path = workspace_path(path)
            book.pop(path, None)
            book[path] = None
    files = [FileRole(path, "changed") for path in reversed(changed)]
    files += [FileRole(path, "read_only") for path in reversed(read) if path not in changed]
    return render_card(State(files=tuple(files)), ("files",), budget)
