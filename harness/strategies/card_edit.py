"""card_edit: a person, or a file of corrections, changes the card at the seam."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness import tokens
from harness.errors import StrategyError, UserError
from harness.extract.carried import parse_card
from harness.strategies.base import AddOn, Context, Strategy
from harness.strategies.card import ALL_FIELDS
from harness.text import carried, content_text, nearest
from harness.types import Compaction, Message, State

FORMS = "{remove: LINE}, {replace: LINE, with: LINE} or {add: LINE, to: FIELD}"

# Fields whose lines have a form, without which a later seam could not read them back.
FORMED = {
    "constraints": "MUST: ... or MUST NOT: ...",
    "files": "PATH (to_change), (changed) or (read_only)",
    "progress": "[ ] ... or [x] ...",
}


@dataclass(frozen=True)
class Correction:
    """One change of a card: `old` goes ("" adds only), `new` comes ("" removes), in `field`."""

    old: str = ""
    new: str = ""
    field: str = ""


class CardEdit(AddOn):
    """Corrects the card of whichever strategy makes one; both versions are stored as artefacts.

    file: corrections, a YAML or JSON list of {remove: LINE}, {replace: LINE, with: LINE} and
    {add: LINE, to: FIELD}, the same for every trial; LINE is a card's line without its dash, FIELD
    one of the card's fields. A card that is kept up at every turn is corrected every time. Without
    a file an editor ($VISUAL or $EDITOR) opens on the terminal at every seam, and the run waits.
    Additions take their tokens from a matched total. A card without the line, and a strategy
    without a card, are noted.
    """

    name = "card_edit"
    source = "study"
    keeps = "the strategy's card, corrected"
    inputs = ("file",)
    paths = ("file",)

    def __init__(self, inner: Strategy, file: str | None = None) -> None:
        super().__init__(inner)
        self.corrections = read_corrections(file) if file else None
        if file is None and not (sys.stdin and sys.stdin.isatty() and _editor()):
            raise UserError(
                "card_edit: needs file=PATH (a list of corrections), or a terminal and $EDITOR"
            )

    async def compact(self, history: Sequence[Message], ctx: Context) -> Compaction:
        added = sum(tokens.count(f"- {c.new}\n") for c in self.corrections or () if c.new)
        ctx.reserve(added)
        made = await self.inner.compact(history, ctx)
        before = made.artefacts.get("card", "")
        if not before:
            return replace(made, notes=(*made.notes, "card_edit:no_card"))
        if self.corrections is None:
            after, notes = _by_hand(before, ctx), []
        else:
            after, notes = corrected(before, self.corrections)
        room = tokens.count(before) + added
        if ctx.budget.total is not None and tokens.count(after) > room:
            after, notes = tokens.cut(after, room), [*notes, "card_edit:cut"]
        return replace(
            made,
            view=[_with_card(message, before, after) for message in made.view],
            artefacts={**made.artefacts, "card_before": before, "card": after},
            notes=(*made.notes, *notes),
        )

    async def before_turn(self, view: list[Message], ctx: Context) -> list[Message]:
        shown = await self.inner.before_turn(view, ctx)
        card = content_text(shown[-1])
        if shown == view or not card.startswith("[carried:card]") or not self.corrections:
            return shown
        before = "\n".join(card.split("\n")[1:-1])
        after, _ = corrected(before, self.corrections)
        return [*shown[:-1], _with_card(shown[-1], before, after)]


def _with_card(message: Message, before: str, after: str) -> Message:
    text = content_text(message)
    block = carried("card", before)
    if message["role"] != "user" or block not in text:
        return message
    return {**message, "content": text.replace(block, carried("card", after) if after else "")}


def corrected(card: str, corrections: Sequence[Correction]) -> tuple[str, list[str]]:
    """A card with the corrections made, and a note for each line that it does not have."""
    lines = card.split("\n")
    notes = []
    for number, correction in enumerate(corrections, 1):
        old, new = f"- {correction.old}", f"- {correction.new}"
        if not correction.old:
            lines = _added(lines, new, correction.field)
        elif old in lines:
            at = lines.index(old)
            lines[at : at + 1] = [new] if correction.new else []
        else:
            notes.append(f"card_edit:no_line:{number}")
    kept = [
        line
        for line, following in zip(lines, [*lines[1:], "##"], strict=True)
        if not (line.startswith("##") and following.startswith("##"))  # a field left empty
    ]
    return "\n".join(kept), notes


def _added(lines: list[str], line: str, field: str) -> list[str]:
    """The line at the end of its field, which is made where there is none; once only."""
    if line in lines:
        return lines
    head = f"## {field.capitalize()}"
    if head not in lines:
        return [*lines, head, line]
    at = lines.index(head) + 1
    while at < len(lines) and lines[at].startswith("- "):
        at += 1
    return [*lines[:at], line, *lines[at:]]


def read_corrections(file: str) -> list[Correction]:
    """Corrections of a YAML or JSON file. Raises UserError, naming the entry, for what is wrong."""
    import yaml

    try:
        data = yaml.safe_load(Path(file).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"card_edit.file: {file} cannot be read: {error}") from None
    except yaml.YAMLError as error:
        raise UserError(f"card_edit.file: {file} is no YAML: {error}") from None
    if not isinstance(data, list) or not data:
        raise UserError(f"card_edit.file: {file}: expected a list of {FORMS}")
    return [_correction(entry, f"card_edit.file: {file}: {n}") for n, entry in enumerate(data, 1)]


def _correction(entry: Any, where: str) -> Correction:
    keys = set(entry) if isinstance(entry, dict) else set()
    if keys not in ({"remove"}, {"replace", "with"}, {"add", "to"}) or not all(
        isinstance(value, str) and value.strip() and "\n" not in value.strip()
        for value in entry.values()
    ):
        raise UserError(f"{where}: expected {FORMS}, each one line of text, found {entry!r}")
    given = {key: value.strip() for key, value in entry.items()}
    if "remove" in given:
        return Correction(old=given["remove"])
    if "replace" in given:
        fields = [field for field in FORMED if _fits(field, given["replace"])]
        _require_form(given["with"], fields, where)
        return Correction(old=given["replace"], new=given["with"])
    if given["to"] not in ALL_FIELDS:
        raise UserError(
            f"{where}: no field {given['to']!r}; nearest: {nearest(given['to'], ALL_FIELDS)}"
        )
    _require_form(given["add"], [given["to"]], where)
    return Correction(new=given["add"], field=given["to"])


def _require_form(line: str, fields: Sequence[str], where: str) -> None:
    for field in fields:
        if field in FORMED and not _fits(field, line):
            raise UserError(f"{where}: a line of {field} is {FORMED[field]}; found {line!r}")


def _fits(field: str, line: str) -> bool:
    return parse_card([f"## {field}", f"- {line}"]) not in (None, State())


def _editor() -> list[str]:
    return shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "")


def _by_hand(card: str, ctx: Context) -> str:
    """The card as a person leaves it. Raises StrategyError where it can no longer be read.

    Holds up the whole process on purpose: two editors cannot share a terminal.
    """
    ctx.folder.mkdir(parents=True, exist_ok=True)
    path = ctx.folder / "card.md"
    path.write_text(card + "\n", encoding="utf-8")
    try:
        done = subprocess.run([*_editor(), str(path)])
        text = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise StrategyError(f"card_edit: {error}", kind="editor_failed") from None
    if done.returncode:
        raise StrategyError(f"card_edit: editor ended with {done.returncode}", kind="editor_failed")
    field = ""
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("## "):
            field = line[3:].strip().lower()
            known = field in ALL_FIELDS
        else:
            known = line.startswith("- ") and (field not in FORMED or _fits(field, line[2:]))
        if text and not known:
            raise StrategyError(f"card_edit: line {number} {line!r} is none of a card", kind="card")
    return text
