"""Links; a touch on the screen opens them."""

from __future__ import annotations

from mistune import HTMLRenderer


def link(renderer: HTMLRenderer, text: str, url: str, title: str | None = None) -> str:
    """The element of a link."""
    html = '<a href="' + renderer.safe_url(url) + '"'
    if title:
        html += ' title="' + renderer.escape_attribute(title) + '"'
    return html + ">" + text + "</a>"
