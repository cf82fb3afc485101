"""nine_sections, five_headings, extract_sections: a summary under fixed headings."""

from __future__ import annotations

from collections.abc import Sequence

from harness import tokens
from harness.strategies.base import Context, Strategy, system_of
from harness.strategies.keep import flat, groups, newest, verbatim_room
from harness.text import carried_message
from harness.types import Compaction, Message

NINE = (
    "Request",
    "Ideas and techniques",
    "Files and code",
    "Errors and repairs",
    "Reasoning",
    "User messages",
    "Open tasks",
    "Current work",
    "Next step",
)
NINE_PROMPT = """\
Your context will be cleared and only your answer to this message will remain of it.
First go through the conversation from its beginning in your mind, and check what was asked, what
was done and what was corrected; write none of that down. Then write a summary in the language of
the conversation under these nine headings, each on a line of its own, in this order:
## Request: everything that the user wants, in full
## Ideas and techniques: the technologies and approaches that matter here
## Files and code: files read, changed or made, why each matters, and the decisive lines
## Errors and repairs: what went wrong, how it was put right, what the user said about it
## Reasoning: questions that were settled, and those still being worked on
## User messages: every message of the user, tool results excepted
## Open tasks: what was asked for and is not finished
## Current work: what was being done just now, with files and code
## Next step: the one that follows from the latest request, with the words that show it
Use at most {budget} tokens."""

FIVE = ("Goal", "Instructions", "Discoveries", "Accomplished", "Relevant files")
FIVE_PROMPT = """\
Write down what the next session must know to go on with this work; it sees nothing else. Use the
language of the conversation and these five headings, each on a line of its own:
## Goal: what the user is after
## Instructions: what the user said about how to do it, with plans and agreements that still hold
## Discoveries: what was learned on the way
## Accomplished: what is finished, what is under way, what is left
## Relevant files: files and folders read, changed or made that matter for the rest
Use at most {budget} tokens."""

EXTRACT = ("Intent", "Summary", "Artifacts", "Next steps")
EXTRACT_PROMPT = """\
The older part of a session, above, is about to be replaced by what you take out of it. Take out
only what the rest of the work needs, in the language of the conversation, under four headings,
each on a line of its own:
## Intent: what the session is for
## Summary: choices made and their reasons, and the options that were turned down
## Artifacts: files made, read or changed, and what was done to each
## Next steps: what remains for the goal
Answer with these four sections alone, in at most {budget} tokens."""


async def headed(
    ctx: Context, history: Sequence[Message], budget: int, prompt: str, marks: Sequence[str]
) -> str:
    """A summary by a prompt; the note `sections_missing` where some of the marks are not in it."""
    text = await ctx.summarise(history, budget, prompt)
    if text and not all(mark.lower() in text.lower() for mark in marks):
        ctx.notes.append("sections_missing")
    return text


def marks_of(headings: Sequence[str]) -> list[str]:
    """Headings as the prompts ask for them."""
    return [f"## {heading}" for heading in headings]


class NineSections(Strategy):
    """One summary in nine sections after a private look through the conversation.

    Nothing else is kept. The look is asked for in thought: written down, it would use up the
    summary's budget. Product's trigger: the window less 20,000 tokens for output and 13,000 more.
    """

    name = "nine_sections"
    source = "field"
    keeps = "a summary in nine sections"
    prompt = NINE_PROMPT
    headings: Sequence[str] = NINE

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        budget = ctx.budget.summary(tokens.count_view(history))
        summary = await headed(ctx, history, budget, self.prompt, marks_of(self.headings))
        view = [*system_of(history), carried_message([("summary", summary)], history)]
        return Compaction(view=view, artefacts={"summary": summary})


class FiveHeadings(NineSections):
    """One summary under five headings, nothing else. Product's trigger: a full window."""

    name = "five_headings"
    keeps = "a summary under five headings"
    prompt = FIVE_PROMPT
    headings = FIVE


class ExtractSections(Strategy):
    """What is older as four sections, the newest messages verbatim.

    messages: kept verbatim (20, as in the product), of a short history half, since a forced seam
    must cut somewhere. trim_input: tokens of the newest older messages that the summariser is
    shown; None shows all, 4000 is the product's usual and loses most of a long session. Product's
    trigger: 85 % of the window, else 170,000 tokens.
    """

    name = "extract_sections"
    source = "field"
    keeps = "a summary in four sections, the newest messages"

    def __init__(self, messages: int = 20, trim_input: int | None = None) -> None:
        self.messages = messages
        self.trim_input = trim_input

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        own = groups(history)
        limit = min(self.messages, len(flat(own)) // 2)
        kept, used = newest(own, verbatim_room(ctx.budget), limit)
        older = own[: len(own) - len(kept)]
        if self.trim_input is not None:
            older, _ = newest(older, self.trim_input)
        budget = ctx.budget.summary(tokens.count_view(history), reserved=used)
        shown = [*system_of(history), *flat(older)]
        summary = await headed(ctx, shown, budget, EXTRACT_PROMPT, marks_of(EXTRACT))
        opening = carried_message([("summary", summary)], history)
        view = [*system_of(history), opening, *flat(kept)]
        return Compaction(view=view, artefacts={"summary": summary})
