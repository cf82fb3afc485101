"""The files of tattoo: their text from a state, and the state back from their text.

Below their titles the files have the format of the state card, but for numbered rules in the
wording asked for, so that extraction reads them like a card of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from harness.strategies.card import render_card
from harness.text import content_text, units
from harness.types import Message, Rule, State

FOLDER = ".agent"
RULES, PROGRESS, CONTEXT, DECISIONS = NAMES = (
    f"{FOLDER}/constraints.md",
    f"{FOLDER}/progress.md",
    f"{FOLDER}/context.md",
    f"{FOLDER}/decisions.md",
)
"""In the order in which they are shown; what is over the limit is cut at the end."""

START = {
    RULES: "# Rules that always hold\n",
    PROGRESS: "# Progress of the task\n",
    CONTEXT: "# Surroundings of the work\n",
    DECISIONS: "# Decisions and their reasons\n",
}

WORDINGS: Mapping[str, tuple[str, str]] = {
    "must": ("MUST NOT: ", "MUST: "),
    "should": ("Should rather not: ", "Should: "),
    "descriptive": ("Not usual here: ", "Usual here: "),
}
"""Before a rule: for what is not to be done, for what is."""

_NUMBERED = re.compile(r"^\d+\. (.*)$", re.MULTILINE)
_GOAL = re.compile(r"^Goal: (.*)$", re.MULTILINE)
_WORD = re.compile(r"[\w./-]+|[\u4e00-\u9fff]")


def rules_text(rules: Sequence[Rule], wording: str, order: str) -> str:
    """constraints.md. order: "danger" has prohibitions first, "stated" leaves it as it was said."""
    listed = sorted(rules, key=lambda rule: rule.polarity != "must_not" and order == "danger")
    words = WORDINGS[wording]
    lines = [
        f"{number}. {words[rule.polarity == 'must']}{' '.join(rule.text.split())}"
        for number, rule in enumerate(listed, 1)
    ]
    return "\n".join([START[RULES], *lines]) + "\n"


def progress_text(state: State, goal: str) -> str:
    """progress.md: the goal, then what is done and what is not."""
    card, _ = render_card(state, ("progress",), None)
    return "\n".join([START[PROGRESS], *([f"Goal: {goal}\n"] if goal else []), card]) + "\n"


def context_text(state: State) -> str:
    """context.md: files with their role, and names."""
    return f"{START[CONTEXT]}\n{render_card(state, ('files', 'naming'), None)[0]}\n"


def decisions_text(state: State) -> str:
    """decisions.md, which the hook at the seam writes: decisions, surroundings, prohibitions."""
    banned = tuple(rule for rule in state.constraints if rule.polarity == "must_not")
    told = replace(state, constraints=banned)
    fields = ("decisions", "environment", "constraints")
    return f"{START[DECISIONS]}\n{render_card(told, fields, None)[0]}\n"


def as_card(texts: Mapping[str, str], wording: str) -> str:
    """All that the files hold as a state card."""
    words = WORDINGS[wording]
    rules = []
    for line in _NUMBERED.findall(texts[RULES]):
        for said, meant in zip(words, WORDINGS["must"], strict=True):
            if line.startswith(said):
                rules.append(f"- {meant}{line.removeprefix(said)}")
                break
    head = ["## Constraints", *rules] if rules else []
    rest = [_below_title(texts[name]) for name in (PROGRESS, CONTEXT, DECISIONS)]
    return "\n".join([*head, *rest]).strip()


def _below_title(text: str) -> str:
    _, found, sections = text.partition("\n## ")
    return f"## {sections}".strip() if found else ""


def goal_of(texts: Mapping[str, str], history: Sequence[Message]) -> str:
    """The goal as the file has it, else the opening of the user's first message."""
    if known := _GOAL.search(texts[PROGRESS]):
        return known.group(1)
    first = next((content_text(m) for m in history if m["role"] == "user"), "")
    return next(units(first), "")


def recited(said: str, texts: Mapping[str, str]) -> list[str]:
    """Rules, and the next step, of which less than half of the words was said."""
    open_steps = re.findall(r"^- \[ \] (.*)$", texts[PROGRESS], re.MULTILINE)
    wanted = [*_NUMBERED.findall(texts[RULES]), *open_steps[:1]]
    known = set(_WORD.findall(said.lower()))
    missed = []
    for line in wanted:
        words = set(_WORD.findall(line.lower()))
        if 2 * len(words & known) < len(words):
            missed.append(line)
    return missed
