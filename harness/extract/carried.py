"""Read back a state card that an earlier compaction left in the history."""

from __future__ import annotations

import re

from harness.text import CONTINUE
from harness.types import FileRole, Role, Rule, State

_OPEN = "[carried:"
_CLOSE = "[/carried]"
_SECTION = re.compile(r"^##\s*(\w+)")
_RULE = re.compile(r"^(MUST NOT|MUST)\s*:\s*(.+)$")
_FILE = re.compile(r"^(.+?)\s*\((to_change|changed|read_only)\)$")
_STEP = re.compile(r"^\[([ xX])\]\s*(.+)$")
_ROLES: dict[str, Role] = {"to_change": "to_change", "changed": "changed", "read_only": "read_only"}


def split_carried(text: str) -> tuple[str, State | None]:
    """Speech without the carried blocks, and the state that the cards in these blocks give.

    The word to go on that ends a compacted view's opening is nobody's speech.
    """
    if _OPEN not in text:
        return text, None
    speech: list[str] = []
    block: list[str] = []
    inside = False
    for line in text.split("\n"):
        if not inside and line.startswith(_OPEN):
            inside = True
        elif inside and line.strip() == _CLOSE:
            inside = False
        else:
            (block if inside else speech).append(line)
    said = "\n".join(speech)
    return "" if said.strip() in CONTINUE.values() else said, parse_card(block)


def parse_card(lines: list[str]) -> State | None:
    """State of a card's lines; None where there is no card item in them."""
    found: dict[str, list[str]] = {}
    section = ""
    for line in lines:
        head = _SECTION.match(line)
        if head:
            section = head.group(1).lower()
        elif section and line.startswith("- ") and line[2:].strip():
            found.setdefault(section, []).append(line[2:].strip())
        elif line.strip():
            section = ""  # prose after the card
    if not found:
        return None
    steps = [m for m in map(_STEP.match, found.get("progress", [])) if m]
    rules = [m for m in map(_RULE.match, found.get("constraints", [])) if m]
    files = [m for m in map(_FILE.match, found.get("files", [])) if m]
    return State(
        constraints=tuple(
            Rule(m[2].strip(), "must_not" if m[1] == "MUST NOT" else "must") for m in rules
        ),
        files=tuple(FileRole(m[1].strip("` "), _ROLES[m[2]]) for m in files),
        naming=tuple(found.get("naming", ())),
        open=tuple(m[2].strip() for m in steps if m[1] == " "),
        done=tuple(m[2].strip() for m in steps if m[1] != " "),
        environment=tuple(found.get("environment", ())),
        decisions=tuple(found.get("decisions", ())),
    )
