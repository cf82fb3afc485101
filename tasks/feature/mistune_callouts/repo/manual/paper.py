"""Narrow cards of plain text. `python -m manual.paper PAGE` prints one."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from manual.parser import Token, flat, tokens


def lines(blocks: Iterable[Token]) -> Iterator[str]:
    """The lines of a card, an empty one behind each block."""
    for token in blocks:
        if token["type"] == "heading":
            yield flat(token).upper()
        elif token["type"] == "list":
            yield from (f"o {flat(point)}" for point in token["children"])
        else:
            yield flat(token)
        yield ""


def card(text: str) -> str:
    """The card of a page."""
    return "\n".join(lines(tokens(text))).rstrip() + "\n"


if __name__ == "__main__":
    print(card(Path(sys.argv[1]).read_text(encoding="utf-8")))
