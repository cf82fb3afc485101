"""Long lines are broken."""

from __future__ import annotations

import textwrap


def apply(text: str) -> str:
    """The text with its long lines broken between words."""
    lines = text.split("\n")
    return "\n".join(textwrap.fill(line, 80, subsequent_indent="    ") for line in lines)
