"""Elements as the screens at the benches show them, where they differ from plain HTML."""

from __future__ import annotations

from mistune import HTMLRenderer, Markdown


def table(renderer: HTMLRenderer, text: str) -> str:
    """A table that can be moved sideways with a thumb."""
    return '<div class="wide"><table>\n' + text + "</table></div>\n"


ELEMENTS = {
    "table": table,
}


def setup(md: Markdown) -> None:
    """Put the elements into the renderer of a parser."""
    for name, draw in ELEMENTS.items():
        md.renderer.register(name, draw)
