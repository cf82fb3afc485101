"""Two lists made into one, when two parties share their kit."""

from __future__ import annotations

from collections.abc import Sequence

from kitlist.entries import Entry


def merge(ours: Sequence[Entry], theirs: Sequence[Entry]) -> str:
    """A list of what is on either, ours first; the same thing stands on it once."""
    texts = [each.text for each in ours] + [each.text for each in theirs]
    return "\n".join("* " + text for text in dict.fromkeys(texts)) + "\n"
