"""Labels of the rescue team: one line, the van's printer is narrow."""

from __future__ import annotations


def label(text: str) -> str:
    """Name of the bag and its keeper."""
    name, _, keeper = text.partition(" (")
    return f"{name} / {keeper.partition(')')[0]}"
