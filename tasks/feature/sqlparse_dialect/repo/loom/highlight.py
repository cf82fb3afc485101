"""Scripts with colours for the screen."""

from __future__ import annotations

from sqlparse import sql
from sqlparse import tokens as T

from loom.reader import leaves

COLOURS = (
    (T.Comment, "grey"),
    (T.Keyword, "blue"),
    (T.Literal.String, "green"),
    (T.Literal.Number, "teal"),
)


def highlight(text: str) -> str:
    """The script with every coloured token as `<colour:token>`."""
    return "".join(painted(leaf) for leaf in leaves(text))


def painted(leaf: sql.Token) -> str:
    """One token; the first colour whose type it is of counts."""
    for ttype, colour in COLOURS:
        if leaf.ttype in ttype:
            return f"<{colour}:{leaf.value}>"
    return leaf.value
