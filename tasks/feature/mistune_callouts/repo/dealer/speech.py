"""The telephone line of the dealer."""

from __future__ import annotations


def sentence(block: str, text: str) -> str:
    """A block as it is spoken."""
    return f"{text}!" if block == "heading" else text
