"""Pages as HTML or as tokens of mistune."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mistune import create_markdown

from manual import screen

Token = Mapping[str, Any]

PLUGINS = [
    "table",
    "task_lists",
]


def html(text: str) -> str:
    """A page for a screen."""
    markdown = create_markdown(plugins=PLUGINS)
    screen.setup(markdown)
    return str(markdown(text))


def tokens(text: str) -> list[Token]:
    """The blocks of a page; blank lines are left out."""
    found = create_markdown(renderer="ast", plugins=PLUGINS)(text)
    return [token for token in found if token["type"] != "blank_line"]


def flat(token: Token) -> str:
    """The plain text of a token and of what is inside it."""
    if token["type"] in ("softbreak", "blank_line"):
        return " "
    inner = (flat(child) for child in token.get("children", []))
    return token.get("raw") or "".join(inner)
