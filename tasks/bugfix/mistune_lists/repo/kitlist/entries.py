"""Entries of a kit list, read from Markdown through the tokens of mistune."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import mistune

Token = Mapping[str, Any]


@dataclass(frozen=True)
class Entry:
    """One entry: its text, how deep it stands (from 1), and its tick (None: it has no box)."""

    text: str
    depth: int = 1
    ticked: bool | None = None

    @property
    def amount(self) -> int:
        """How many of it: 3 for "sling x3", 1 where nothing is said."""
        _, mark, number = self.text.rpartition(" x")
        return int(number) if mark and number.isdigit() else 1

    @property
    def name(self) -> str:
        """The text without the amount."""
        head, mark, number = self.text.rpartition(" x")
        return head if mark and number.isdigit() else self.text


def read(text: str) -> list[Entry]:
    """All entries of a Markdown text in their order; what is no list is passed over."""
    parse = mistune.create_markdown(renderer="ast", plugins=["task_lists"])
    return list(_walk(parse(text), 0))


def _walk(tokens: Iterable[Token], depth: int) -> Iterator[Entry]:
    for token in tokens:
        if token["type"] in ("list_item", "task_list_item"):
            yield Entry(_own_text(token), depth, token.get("attrs", {}).get("checked"))
        if "children" in token:
            yield from _walk(token["children"], depth + (token["type"] == "list"))


def _own_text(token: Token) -> str:
    """Text of the first line of an entry."""
    for child in token["children"]:
        if child["type"] in ("block_text", "paragraph"):
            return _flat(child["children"]).partition("\n")[0]
    return ""


def _flat(tokens: Iterable[Token]) -> str:
    parts = []
    for token in tokens:
        if token["type"] == "softbreak":
            parts.append("\n")
        else:
            parts.append(token.get("raw") or _flat(token.get("children", [])))
    return "".join(parts)
