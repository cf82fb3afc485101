"""What villagers said, in their words."""

from __future__ import annotations

from mistune import HTMLRenderer


def quote(renderer: HTMLRenderer, text: str) -> str:
    """The element around a quotation."""
    return '<blockquote style="border-left: 4px solid">\n' + text + "</blockquote>\n"
