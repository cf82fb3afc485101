"""Sentences for the loudspeaker. `python -m manual.speech PAGE` prints them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from manual.parser import Token, flat, tokens


def sentences(blocks: Iterable[Token]) -> Iterator[str]:
    """What is said, a pause after each."""
    for token in blocks:
        if token["type"] == "heading":
            yield f"Now: {flat(token)}."
        else:
            yield flat(token)


def speech(text: str) -> list[str]:
    """The sentences of a page."""
    return list(sentences(tokens(text)))


if __name__ == "__main__":
    print("\n".join(speech(Path(sys.argv[1]).read_text(encoding="utf-8"))))
