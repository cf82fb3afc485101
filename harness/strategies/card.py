"""The state card: a fixed format, a hard budget, and what is cut first.

Field words of the study: constraints, files with role, naming, entities, decisions, progress.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness import tokens
from harness.extract.lex_work import IDENT
from harness.extract.paths import paths_in
from harness.types import FileRole, Rule, State

FIELDS = ("constraints", "files", "naming", "decisions", "progress")
"""The registered card. The study's four core fields are these without decisions."""

ALL_FIELDS = (*FIELDS, "environment", "entities", "next")
"""Eight, for the claim that more than four dilute: what the study tried first and took out again
(surroundings), and two that only repeat the others (identifiers, the next step)."""

STATE_FIELDS = (*FIELDS, "environment")
"""Fields that hold a whole state."""

# First to go comes first: what repeats other fields, then by cost of a loss. Constraints are never
# cut, since breaking one costs most (seed 003, 6.2).
CUT_ORDER = ("next", "entities", "environment", "decisions", "naming", "files", "done", "open")


def render_card(state: State, fields: Sequence[str], limit: int | None) -> tuple[str, list[str]]:
    """Card text within `limit` tokens (None: no limit), and a note for every line cut.

    Constraints alone may exceed the limit; then a note says so.
    """
    parts = {part: lines for part, lines in _parts(state).items() if _field(part) in fields}
    text = _render(parts, fields)
    notes: list[str] = []
    if limit is None:
        return text, notes
    for part in CUT_ORDER:
        while parts.get(part) and tokens.count(text) > limit:
            # The last mentioned goes first: early items were stated when the work was laid out.
            parts[part].pop()
            text = _render(parts, fields)
            notes.append(f"cut:{part}")
    if tokens.count(text) > limit:
        notes.append("constraints_over_budget")
    return text, notes


def line_of(kind: str, value: object) -> str:
    """One line of a card or a store for a value of a state's field."""
    if isinstance(value, Rule):
        text = f"{'MUST NOT' if value.polarity == 'must_not' else 'MUST'}: {value.text}"
    elif isinstance(value, FileRole):
        text = f"{value.path} ({value.role})"
    else:
        text = {"done": "[x] ", "open": "[ ] "}.get(kind, "") + str(value)
    return " ".join(text.split())


def entities(state: State) -> list[str]:
    """Identifiers that rules, names and decisions speak of, in order, each once; no paths."""
    texts = [rule.text for rule in state.constraints] + [*state.naming, *state.decisions]
    found = [match.group().strip("`") for text in texts for match in IDENT.finditer(text)]
    return [name for name in dict.fromkeys(found) if " " not in name and not paths_in(name)]


def _field(part: str) -> str:
    return "progress" if part in ("done", "open") else part


def _parts(state: State) -> dict[str, list[str]]:
    """Lines of every part that can be cut by itself; the progress pointer has two."""
    names = ("constraints", "files", "naming", "decisions", "environment", "done", "open")
    parts = {name: [line_of(name, value) for value in getattr(state, name)] for name in names}
    following = [line_of("next", text) for text in state.open[:1]]
    return {**parts, "entities": entities(state), "next": following}


def _render(parts: Mapping[str, Sequence[str]], fields: Sequence[str]) -> str:
    blocks = []
    for field in fields:
        names = ("done", "open") if field == "progress" else (field,)
        lines = [f"- {line}" for name in names for line in parts[name]]
        if lines:
            blocks.append("\n".join([f"## {field.capitalize()}", *lines]))
    return "\n".join(blocks)
