"""The state card: a fixed format, a hard budget, and what is cut first.

Field words of the study: constraints, files with role, naming, decisions, progress pointer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from harness import tokens
from harness.types import FileRole, Rule, State

FIELDS = ("constraints", "files", "naming", "decisions", "progress")
ALL_FIELDS = (*FIELDS, "environment")

# First to go comes first; constraints are never cut, since breaking one costs most (seed 003, 6.2).
CUT_ORDER = ("environment", "decisions", "naming", "files", "done", "open")


def render_card(state: State, fields: Sequence[str], budget: int | None) -> tuple[str, list[str]]:
    """Card text within `budget` tokens (None: no limit), and notes on what was cut.

    Constraints alone may exceed the budget; then a note says so.
    """
    notes: list[str] = []
    kept = replace(state)
    text = _render(kept, fields)
    if budget is None:
        return text, notes
    for name in CUT_ORDER:
        while tokens.count(text) > budget and getattr(kept, name):
            # The last mentioned goes first: early items were stated when the work was laid out.
            kept = replace(kept, **{name: getattr(kept, name)[:-1]})
            text = _render(kept, fields)
            notes.append(f"cut:{name}")
    if tokens.count(text) > budget:
        notes.append("constraints_over_budget")
    return text, notes


def _render(state: State, fields: Sequence[str]) -> str:
    blocks = []
    for title, lines in _blocks(state, fields):
        if lines:
            blocks.append("\n".join([f"## {title}", *(f"- {line}" for line in lines)]))
    return "\n".join(blocks)


def _blocks(state: State, fields: Sequence[str]) -> Iterable[tuple[str, list[str]]]:
    progress = [f"[x] {text}" for text in state.done] + [f"[ ] {text}" for text in state.open]
    lines = {
        "constraints": [_rule(rule) for rule in state.constraints],
        "files": [_file(file) for file in state.files],
        "naming": list(state.naming),
        "decisions": list(state.decisions),
        "environment": list(state.environment),
        "progress": progress,
    }
    return [(name.capitalize(), [_one_line(x) for x in lines[name]]) for name in fields]


def _rule(rule: Rule) -> str:
    return f"{'MUST NOT' if rule.polarity == 'must_not' else 'MUST'}: {rule.text}"


def _file(file: FileRole) -> str:
    return f"{file.path} ({file.role})"


def _one_line(text: str) -> str:
    return " ".join(text.split())
