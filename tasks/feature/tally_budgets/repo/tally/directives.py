"""What a journal may hold: the words that open a line, and how many follow.

The reader asks this table before it looks at a line, so that a typing
mistake is told apart from a directive that lacks a word. A line that is
indented belongs to the directive above it and is not looked up here.
"""

from __future__ import annotations

DIRECTIVES = (
    ("account", 2, "account NAME KIND"),
    ("entry", 3, "entry DAY REF NOTE"),
)
"""Word, the least number of words behind it, and what it looks like."""


class DirectiveError(ValueError):
    """A line that begins with an unknown word, or is too short."""


def checked(words: list[str]) -> str:
    """The directive of a line that is not indented. Raises DirectiveError."""
    for name, least, form in DIRECTIVES:
        if words[0] == name:
            if len(words) - 1 < least:
                raise DirectiveError(f"expected {form}")
            return name
    known = ", ".join(name for name, _, _ in DIRECTIVES)
    raise DirectiveError(f"expected one of {known}, found {words[0]!r}")


def help_text() -> str:
    """All directives as they are written, one a line."""
    return "\n".join(form for _, _, form in DIRECTIVES)
