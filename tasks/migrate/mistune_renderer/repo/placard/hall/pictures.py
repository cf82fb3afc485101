"""Photographs of the exhibits, as wide as the screen."""

from __future__ import annotations

from mistune import HTMLRenderer
from mistune.util import striptags


def picture(renderer: HTMLRenderer, text: str, url: str, title: str | None = None) -> str:
    """The element of a photograph; its title is for the archive and is not shown."""
    html = '<img src="' + renderer.safe_url(url) + '" alt="' + striptags(text) + '"'
    return html + ' style="width: 100%" />'
