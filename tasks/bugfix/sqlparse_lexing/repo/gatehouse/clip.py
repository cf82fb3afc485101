"""Cutting texts for people's eyes."""

from __future__ import annotations


def clip(text: str, width: int) -> str:
    """The text on one line, at most `width` characters; an ellipsis stands for what was cut."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1] + "…"
