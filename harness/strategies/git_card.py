"""git_card: what the workspace itself can tell, by code, beside a summary."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness import tokens
from harness.strategies.base import Context, Strategy, system_of
from harness.strategies.keep import calls, shorten, verbatim_room
from harness.text import carried_message
from harness.types import Compaction, Message

# Runners of the languages that agents mostly work in, their `test` verbs, and scripts named so.
_CHECK = re.compile(
    r"\b(?:pytest|unittest|nose2|tox|nox|jest|vitest|mocha|ctest|rspec|phpunit)\b"
    r"|\b(?:npm|pnpm|yarn|bun|deno|go|cargo|make|just|mvn|gradle|dotnet|mix|rake)\b[^;&|]*"
    r"\b(?:test|check)"
    r"|(?:\./|\b(?:ba)?sh |\bpython[\d.]* |\bnode )\S*(?:test|check)"
)
# A line that names a failing test: pytest, unittest, go, cargo, TAP, and the marks of jest.
_FAILING = re.compile(
    r"^\s*(?:(?:FAILED|ERROR|FAIL)[ :]|--- FAIL:|not ok \d|[✕✗●] |test \S+ \.\.\. FAILED)"
)
_LINE_CHARS = 160  # a test's name and the start of its message


class GitCard(Strategy):
    """Status, last check, size of changes and diff, from the workspace and not from a model.

    part_chars: of the status, and of the diff (8000, as in the product that hands both over).
    tests: failing tests named at most (20: enough to see which kind fails). What is over the
    budget is cut at the end, where the diff stands. Trigger: that of the summary it goes with.
    """

    name = "git_card"
    source = "field"
    keeps = "git status, diff and failing tests by code, a summary"
    reads_workspace = True

    def __init__(self, part_chars: int = 8000, tests: int = 20) -> None:
        self.part_chars = part_chars
        self.tests = tests

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        diff = ctx.workspace.diff()
        blocks = {
            "Status": shorten(ctx.workspace.status().rstrip(), self.part_chars),
            "Last check": last_check(history, self.tests),
            "Changes": diff_stat(diff),
            "Diff": shorten(diff.rstrip(), self.part_chars),
        }
        whole = "\n".join(f"## {title}\n{text}" for title, text in blocks.items() if text)
        room = verbatim_room(ctx.budget)
        card = whole if room is None else tokens.cut(whole, room)
        budget = ctx.budget.summary(tokens.count_view(history), reserved=tokens.count(card))
        parts = [("card", card), ("summary", await ctx.summarise(history, budget))]
        return Compaction(
            view=[*system_of(history), carried_message(parts, history)],
            artefacts=dict(parts),
            notes=() if card == whole else ("card_cut",),
        )


def diff_stat(diff: str) -> str:
    """Path and lines added and removed of every file of a diff, one line each."""
    lines = []
    for part in re.split(r"^diff --git ", diff, flags=re.MULTILINE)[1:]:
        head, *hunks = re.split(r"^@@", part, flags=re.MULTILINE)
        path = head.split("\n", 1)[0].rpartition(" b/")[2]
        changed = [line for hunk in hunks for line in hunk.split("\n")[1:]]
        added = sum(line.startswith("+") for line in changed)
        removed = sum(line.startswith("-") for line in changed)
        lines.append(f"{path} | +{added} -{removed}")
    return "\n".join(lines)


def last_check(history: Sequence[Message], limit: int) -> str:
    """The last command that looks like a check, and the failing tests that its output names."""
    found = ""
    for _, arguments, result in calls(history):
        command = arguments.get("command") or arguments.get("cmd")
        if not (isinstance(command, str) and _CHECK.search(command)):
            continue
        lines = [line.strip() for line in result.splitlines() if _FAILING.match(line)]
        failing = list(dict.fromkeys(line[:_LINE_CHARS] for line in lines))
        told = failing[:limit] or ["its output names no failing test"]
        more = [f"and {len(failing) - limit} more"] if len(failing) > limit else []
        found = "\n".join([" ".join(command.split())[:_LINE_CHARS], *told, *more])
    return found
