"""Quotations of the travelling exhibition."""

from __future__ import annotations

from mistune import HTMLRenderer


def quote(renderer: HTMLRenderer, text: str) -> str:
    """The element around a quotation."""
    return '<blockquote class="tour">\n' + text + "</blockquote>\n"
