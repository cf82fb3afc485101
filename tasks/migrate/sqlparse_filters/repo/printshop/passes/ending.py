"""A query ends with a semicolon."""

from __future__ import annotations


def apply(text: str) -> str:
    """The text with a semicolon at its end."""
    text = text.rstrip()
    return text if text.endswith(";") else f"{text};"
