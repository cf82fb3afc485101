"""Headings, each with an anchor."""

from __future__ import annotations

from mistune import HTMLRenderer
from mistune.util import striptags


def anchor(text: str) -> str:
    """The text as it stands in an address."""
    return "-".join(striptags(text).lower().split())


def heading(renderer: HTMLRenderer, text: str, level: int) -> str:
    """The element of a heading; the name of the case has h1 to itself."""
    tag = "h" + str(min(level + 1, 6))
    return "<" + tag + ' id="' + anchor(text) + '">' + text + "</" + tag + ">\n"
