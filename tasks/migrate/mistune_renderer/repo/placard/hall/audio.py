"""Recordings of what old people tell: `[[well.mp3|Granny Liu on the well]]`."""

from __future__ import annotations

from re import Match

from mistune import HTMLRenderer, InlineParser, InlineState, Markdown

PATTERN = r"\[\[(?P<audio_src>[^|\]\n]+)\|(?P<audio_label>[^\]\n]+)\]\]"


def parse(inline: InlineParser, m: Match[str], state: InlineState) -> int:
    """A token for a recording."""
    attrs = {"src": m.group("audio_src")}
    state.append_token({"type": "audio", "raw": m.group("audio_label"), "attrs": attrs})
    return m.end()


def play(renderer: HTMLRenderer, label: str, src: str) -> str:
    """The element that plays a recording."""
    html = '<audio controls src="' + renderer.safe_url(src) + '">'
    return html + renderer.text(label) + "</audio>"


def audio(md: Markdown) -> None:
    """The plugin."""
    md.inline.register("audio", PATTERN, parse, before="link")
    md.renderer.register("audio", play)
