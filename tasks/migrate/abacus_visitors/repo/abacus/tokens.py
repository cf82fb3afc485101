"""Kinds of token, and the words that mean more than a name.

A token is made once by the scanner and only read afterwards. Its
position is kept so that an error can point at the right column.
"""

NUMBER = "NUMBER"
NAME = "NAME"
PLUS = "PLUS"
MINUS = "MINUS"
TIMES = "TIMES"
OVER = "OVER"
POWER = "POWER"
MOD = "MOD"
ASSIGN = "ASSIGN"
COMMA = "COMMA"
LPAREN = "LPAREN"
RPAREN = "RPAREN"
END = "END"

SIGNS = {
    "+": PLUS,
    "-": MINUS,
    "*": TIMES,
    "/": OVER,
    "^": POWER,
    "=": ASSIGN,
    ",": COMMA,
    "(": LPAREN,
    ")": RPAREN,
}

KEYWORDS = {
    "mod": MOD,
}

SPOKEN = {
    NUMBER: "a number",
    NAME: "a name",
    ASSIGN: "'='",
    COMMA: "','",
    LPAREN: "'('",
    RPAREN: "')'",
    END: "the end of the line",
}


class Token:
    """One word or sign of a line."""

    __slots__ = ("kind", "position", "text")

    def __init__(self, kind, text, position):
        self.kind = kind
        self.text = text
        self.position = position

    def __eq__(self, other):
        if not isinstance(other, Token):
            return NotImplemented
        return (self.kind, self.text) == (other.kind, other.text)

    def __hash__(self):
        return hash((self.kind, self.text))

    def __repr__(self):
        return f"Token({self.kind}, {self.text!r}, {self.position})"


def spoken(kind):
    """How an error speaks of a kind of token."""
    return SPOKEN.get(kind, f"'{kind.lower()}'")
