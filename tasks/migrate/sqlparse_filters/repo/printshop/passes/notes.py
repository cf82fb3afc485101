"""Notes of the editors are taken out."""

from __future__ import annotations


def is_note(text: str) -> bool:
    """True for a comment that an editor left for another."""
    return text.lstrip().lower().startswith("-- todo")


def apply(text: str) -> str:
    """The text without the lines that are notes."""
    return "\n".join(line for line in text.split("\n") if not is_note(line))
