"""Where a story comes from: the archive numbers under a page."""

from __future__ import annotations

from collections.abc import Iterable

from mistune import HTMLRenderer


def sources(renderer: HTMLRenderer, numbers: Iterable[str]) -> str:
    """A list of archive numbers with an anchor each."""
    parts = []
    for number in numbers:
        source_attrs = {"id": "source-" + number, "class": "source"}
        parts.append("<li" + renderer.render_attrs(source_attrs) + ">" + number + "</li>\n")
    return "<ol>\n" + "".join(parts) + "</ol>\n"
