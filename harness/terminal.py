"""The one way to the terminal: text of models, tasks and files is shown, never obeyed."""

from __future__ import annotations

import re
import sys

# Control characters but newline and tab, what turns the direction of writing, and halves of
# characters. As \uXXXX they are the same text within JSON.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def plain(text: str) -> str:
    """The text with what a terminal would obey written out, e.g. as \\u001b."""
    return _UNSAFE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)


def echo(text: str, *, beside: bool = False) -> None:
    """Print a text that may hold anything; `beside`: to stderr."""
    stream = sys.stderr if beside else sys.stdout
    encoding = stream.encoding or "utf-8"
    shown = plain(text).encode(encoding, "backslashreplace").decode(encoding)
    print(shown, file=stream, flush=True)
