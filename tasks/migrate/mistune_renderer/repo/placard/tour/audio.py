"""Recordings of the travelling exhibition: they start by themselves."""

from __future__ import annotations

from mistune import HTMLRenderer


def play(renderer: HTMLRenderer, label: str, src: str) -> str:
    """The element that plays a recording."""
    return '<audio autoplay src="' + renderer.safe_url(src) + '">' + label + "</audio>"
