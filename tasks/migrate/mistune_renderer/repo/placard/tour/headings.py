"""Headings of the travelling exhibition."""

from __future__ import annotations

from mistune import HTMLRenderer


def heading(renderer: HTMLRenderer, text: str, level: int) -> str:
    """The element of a heading."""
    tag = "h" + str(level)
    return "<" + tag + ' class="tour">' + text + "</" + tag + ">\n"
