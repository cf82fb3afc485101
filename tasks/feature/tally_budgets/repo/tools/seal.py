"""Seal a book: `python -m tools.seal books/NAME.journal`.

Reads the book, and notes its name, the number of its entries and a digest
in the file SEALS beside it, so that a later change can be traced.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from tally.journal import parse_journal


def seal_line(path: Path) -> str:
    """The line that stands for a book as it is now."""
    text = path.read_text(encoding="utf-8")
    entries = len(parse_journal(text).entries)
    digest = hashlib.sha256(text.encode("utf-8")).hexdigest()[:12]
    return f"{path.name} {entries} entries {digest}\n"


def seal(path: Path) -> str:
    """Note the seal of a book, once for each state of it; returns the line."""
    line = seal_line(path)
    seals = path.with_name("SEALS")
    known = seals.read_text(encoding="utf-8") if seals.exists() else ""
    if line not in known:
        seals.write_text(known + line, encoding="utf-8")
    return line


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(seal(Path(name)), end="")
