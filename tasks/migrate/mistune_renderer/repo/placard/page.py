"""The renderer of a placard, and the parser around it."""

from __future__ import annotations

from typing import Any

from mistune import HTMLRenderer, Markdown, create_markdown
from mistune.directives import Admonition, FencedDirective

from placard.hall import audio, headings, links, pictures, quotes

PLUGINS = ["abbr", "footnotes", "table"]


class Page(HTMLRenderer):
    """One renderer for everything; a page can have no second one."""

    def link(self, text: str, url: str, title: str | None = None) -> str:
        return links.link(self, text, url, title)

    def image(self, text: str, url: str, title: str | None = None) -> str:
        return pictures.picture(self, text, url, title)

    def heading(self, text: str, level: int, **attrs: Any) -> str:
        return headings.heading(self, text, level)

    def block_quote(self, text: str) -> str:
        return quotes.quote(self, text)


def make() -> Markdown:
    """A parser for placards."""
    directive = FencedDirective([Admonition()])
    return create_markdown(renderer=Page(), plugins=[*PLUGINS, audio.audio, directive])
