"""When a unit of text tells that a sub-goal is done: one rule for the worker and the scorer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from harness.text import caseless, content_text, matches_all, split_carried, units
from harness.types import Message

# One global list, both languages; never extended for a task.
DONE_MARKS = re.compile(
    r"\[x\]|✓|✔|✅|\b(?:done|completed?|finished|already)\b|已完成|完成了|已经|做完|改完|已改",
    re.IGNORECASE,
)
OPEN_MARKS = re.compile(
    r"\[ \]|\b(?:to ?do|open|remaining|remains|pending|next|will|not|still|doing|in progress|"
    r"unfinished|left|yet|could)\b|n't\b|待|未|尚|还没|还需|接下来|下一步|正在|没有|剩",
    re.IGNORECASE,
)
PLAN_MARKS = {"done": "[x]", "doing": "[ ]", "todo": "[ ]"}


def tells_done(evidence: Sequence[str], unit: str) -> bool:
    """The evidence is there, with a mark of completion and none of openness outside the match."""
    if not matches_all(evidence, unit):
        return False
    rest = unit
    for pattern in evidence:
        rest = caseless(pattern).sub(" ", rest)
    return bool(DONE_MARKS.search(rest)) and not OPEN_MARKS.search(rest)


def speech(message: Message) -> Iterator[tuple[str, bool]]:
    """Units of what a message says (tool output is not speech), and whether they are own words.

    Own words, which alone can tell what is done, are the assistant's and carried text.
    """
    if message["role"] == "tool":
        return
    for kind, piece in split_carried(content_text(message)):
        own = kind is not None or message["role"] == "assistant"
        yield from ((unit, own) for unit in units(piece))


def plan_units(items: Sequence[dict[str, str]]) -> Iterator[str]:
    """The items of an `update_plan` call as units, with the mark of their status."""
    for item in items:
        yield f"{PLAN_MARKS[item['status']]} {item['text']}"
