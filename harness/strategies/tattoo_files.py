"""The files of tattoo: their text from a state, and the state back from their text.

Below their titles the files have the format of the state card, but for numbered rules in the
wording asked for, so that extraction reads them like a card of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from harness import tokens
from harness.strategies.card import render_card
from harness.text import content_text, units
from harness.types import Message, Rule, State

FOLDER = ".agent"
RULES = f"{FOLDER}/constraints.md"
CONTEXT = f"{FOLDER}/context.md"
DECISIONS = f"{FOLDER}/decisions.md"
IN_FULL = f"{FOLDER}/rules.md"
"""The rules in full, where the first file only refers to the long ones."""

TITLES = {
    RULES: "# Rules that always hold\n",
    CONTEXT: "# Surroundings of the work\n",
    DECISIONS: "# Decisions and their reasons\n",
    IN_FULL: "# The rules in full\n",
}
PROGRESS_TITLE = "# Progress of the task\n"
LONG, HEAD = 24, 10
"""Tokens from which a rule is referred to (more than a line), and those of it that still stand."""

WORDINGS: Mapping[str, tuple[str, str]] = {
    "must": ("MUST NOT: ", "MUST: "),
    "should": ("Should rather not: ", "Should: "),
    "descriptive": ("Not usual here: ", "Usual here: "),
}
"""Before a rule: for what is not to be done, for what is."""

TASK = re.compile(r"[\w-][\w.-]*")
_NUMBERED = re.compile(r"^\d+\. (.*)$", re.MULTILINE)
_GOAL = re.compile(r"^Goal: (.*)$", re.MULTILINE)
_WORD = re.compile(r"[\w./-]+|[\u4e00-\u9fff]")


def progress_path(task: str) -> str:
    """The file of one task: two tasks, or two agents, never write to the same one."""
    return f"{FOLDER}/progress/{task}.md"


def rules_text(rules: Sequence[Rule], wording: str, order: str) -> str:
    """constraints.md. order: "danger" has prohibitions first, "stated" leaves it as it was said."""
    listed = sorted(rules, key=lambda rule: rule.polarity != "must_not" and order == "danger")
    words = WORDINGS[wording]
    lines = [
        f"{number}. {words[rule.polarity == 'must']}{' '.join(rule.text.split())}"
        for number, rule in enumerate(listed, 1)
    ]
    return "\n".join([TITLES[RULES], *lines]) + "\n"


def referring(text: str) -> tuple[str, str]:
    """constraints.md with the long rules cut short and referred to, and rules.md with all of them.

    Where no rule is long the first is as it was and the second "".
    """
    lines = text.splitlines()
    short = [_referred(line) if tokens.count(line) > LONG else line for line in lines]
    if short == lines:
        return text, ""
    reading = f"First read `{IN_FULL}`. It has those rules in full that end in dots here.\n"
    body = "\n".join(short[1:])
    return f"{short[0]}\n{reading}{body}\n", text.replace(TITLES[RULES], TITLES[IN_FULL], 1)


def _referred(line: str) -> str:
    return f"{tokens.cut(line, HEAD).rstrip(' .,;:，。；：')} ..."


def progress_text(state: State, goal: str) -> str:
    """progress/TASK.md: the goal, then what is done and what is not."""
    card, _ = render_card(state, ("progress",), None)
    return "\n".join([PROGRESS_TITLE, *([f"Goal: {goal}\n"] if goal else []), card]) + "\n"


def context_text(state: State) -> str:
    """context.md: files with their role, and names."""
    return f"{TITLES[CONTEXT]}\n{render_card(state, ('files', 'naming'), None)[0]}\n"


def decisions_text(state: State) -> str:
    """decisions.md, which the hook at the seam writes: decisions, surroundings, prohibitions."""
    banned = tuple(rule for rule in state.constraints if rule.polarity == "must_not")
    told = replace(state, constraints=banned)
    fields = ("decisions", "environment", "constraints")
    return f"{TITLES[DECISIONS]}\n{render_card(told, fields, None)[0]}\n"


def as_card(texts: Mapping[str, str], wording: str) -> str:
    """All that the files hold as a state card."""
    words = WORDINGS[wording]
    rules = []
    for line in _rules_of(texts):
        for said, meant in zip(words, WORDINGS["must"], strict=True):
            if line.startswith(said):
                rules.append(f"- {meant}{line.removeprefix(said)}")
                break
    head = ["## Constraints", *rules] if rules else []
    rest = [_below_title(text) for name, text in texts.items() if name not in (RULES, IN_FULL)]
    return "\n".join([*head, *rest]).strip()


def _rules_of(texts: Mapping[str, str]) -> list[str]:
    """The numbered rules in full, each without its number."""
    return _NUMBERED.findall(texts.get(IN_FULL) or texts[RULES])


def _below_title(text: str) -> str:
    _, found, sections = text.partition("\n## ")
    return f"## {sections}".strip() if found else ""


def goal_of(progress: str, history: Sequence[Message]) -> str:
    """The goal as the file has it, else the opening of the user's first message."""
    if known := _GOAL.search(progress):
        return known.group(1)
    first = next((content_text(m) for m in history if m["role"] == "user"), "")
    return next(units(first), "")


def recited(said: str, texts: Mapping[str, str], progress: str) -> list[str]:
    """Rules, and the next step, of which less than half of the words was said."""
    open_steps = re.findall(r"^- \[ \] (.*)$", progress, re.MULTILINE)
    wanted = [*_rules_of(texts), *open_steps[:1]]
    known = set(_WORD.findall(said.lower()))
    missed = []
    for line in wanted:
        words = set(_WORD.findall(line.lower()))
        if 2 * len(words & known) < len(words):
            missed.append(line)
    return missed
