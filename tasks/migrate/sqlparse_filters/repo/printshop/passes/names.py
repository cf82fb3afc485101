"""Names in small letters."""

from __future__ import annotations

import re

_PIECES = re.compile(r"--.*|'[^']*'|\"[^\"]*\"|`[^`]*`|\w+")


def apply(text: str) -> str:
    """The text with all that is neither quoted nor a comment in small letters."""
    return _PIECES.sub(_lowered, text)


def _lowered(found: re.Match[str]) -> str:
    piece = found.group()
    return piece.lower() if piece[0].isalnum() or piece[0] == "_" else piece
