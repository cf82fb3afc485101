"""Links of the travelling exhibition, which has no touch: the address is printed."""

from __future__ import annotations

from mistune import HTMLRenderer


def link(renderer: HTMLRenderer, text: str, url: str) -> str:
    """Text and address."""
    return "<span>" + text + " (" + renderer.safe_url(url) + ")</span>"
