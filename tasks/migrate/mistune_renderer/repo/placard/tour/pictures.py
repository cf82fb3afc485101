"""Photographs of the travelling exhibition, half as wide."""

from __future__ import annotations

from mistune import HTMLRenderer


def picture(renderer: HTMLRenderer, text: str, url: str) -> str:
    """The element of a photograph."""
    return '<img src="' + renderer.safe_url(url) + '" style="width: 50%" />'
