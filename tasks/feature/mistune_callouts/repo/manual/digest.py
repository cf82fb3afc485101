"""All dangers of the manual, for the board at the entrance."""

from __future__ import annotations

from collections.abc import Mapping

from manual.parser import flat, tokens


def digest(pages: Mapping[str, str]) -> list[str]:
    """A line for each danger, the page in front."""
    found = []
    for name, text in pages.items():
        for token in tokens(text):
            if flat(token).startswith("Warning:"):
                found.append(f"{name}: {flat(token)}")
    return found
