"""What the desk types: `python -m loom VERB WHAT`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from loom.complete import complete
from loom.errors import LoomError
from loom.highlight import highlight
from loom.reader import statements
from loom.selftest import selftest

VERBS = ("highlight", "count", "complete", "selftest")


def main(args: list[str] | None = None) -> int:
    """0 where the verb could be carried out."""
    parser = argparse.ArgumentParser(prog="loom", description=__doc__)
    parser.add_argument("verb", choices=VERBS)
    parser.add_argument("what", nargs="?", default="", help="a file, or how a word starts")
    given = parser.parse_args(args)
    try:
        print(answer(given.verb, given.what))
    except (LoomError, OSError) as error:
        print(f"loom: {error}", file=sys.stderr)
        return 1
    return 0


def answer(verb: str, what: str) -> str:
    """The text that a verb prints. Raises LoomError and OSError."""
    if verb == "selftest":
        return selftest()
    if verb == "complete":
        return "\n".join(complete(what))
    text = Path(what).read_text(encoding="utf-8")
    if verb == "count":
        return str(len(statements(text)))
    return highlight(text)
