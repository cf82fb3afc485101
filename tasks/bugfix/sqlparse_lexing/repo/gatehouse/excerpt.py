"""How a script begins."""

from __future__ import annotations

from gatehouse.clip import clip


def excerpt(text: str) -> str:
    """The beginning of a script on one line, comments left out."""
    lines = [line for line in text.splitlines() if not line.startswith("--")]
    return clip("\n".join(lines), 80)
