"""From a line of text to tokens.

The scanner looks at one character to decide what it is about to read:
a digit or a point begins a number, a letter a word, anything else is
looked up among the signs. A `#` begins a comment up to the end of the
line. Blanks separate and are dropped.
"""

from .errors import EvalError, LexError
from .tokens import END, KEYWORDS, NAME, NUMBER, SIGNS, Token

COMMENT = "#"
GROUPING = "_"
MAX_DIGITS = 30


class Lexer:
    """Reads one line; `tokens` gives all of it, END last."""

    def __init__(self, text):
        self.text = text
        self.position = 0

    def tokens(self):
        """The tokens of the line in order.

        Raises LexError at the first character that begins no token,
        EvalError for a number with too many digits.
        """
        found = []
        while self.more():
            found.append(self.next_token())
        found.append(Token(END, "", self.position))
        return found

    def more(self):
        """Skip blanks and a comment; False at the end of the line."""
        while self.peek() == " " or self.peek() == "\t":
            self.position += 1
        if self.peek() == COMMENT:
            self.position = len(self.text)
        return self.position < len(self.text)

    def peek(self):
        """The character at hand, or an empty text at the end."""
        return self.text[self.position : self.position + 1]

    def next_token(self):
        char = self.peek()
        if char.isdigit() or char == ".":
            return self.read_number()
        if char.isalpha():
            return self.read_word()
        return self.read_sign()

    def read_number(self):
        """A number: digits, at most one point, `_` between digits."""
        start = self.position
        points = 0
        while self.peek().isdigit() or self.peek() in (".", GROUPING):
            points += self.peek() == "."
            self.position += 1
        text = self.text[start : self.position].replace(GROUPING, "")
        if points > 1 or text == ".":
            raise LexError("this is no number", start)
        if len(text) > MAX_DIGITS:
            raise EvalError("too many digits", start)
        return Token(NUMBER, text, start)

    def read_word(self):
        """A name or a keyword: letters, then letters and digits."""
        start = self.position
        while self.peek().isalnum() or self.peek() == "_":
            self.position += 1
        text = self.text[start : self.position]
        return Token(KEYWORDS.get(text, NAME), text, start)

    def read_sign(self):
        """A single sign; `**` is another way to write `^`."""
        start = self.position
        char = self.peek()
        if self.text.startswith("**", start):
            self.position += 2
            return Token(SIGNS["^"], "^", start)
        if char not in SIGNS:
            raise LexError(f"unexpected character {char!r}", start)
        self.position += 1
        return Token(SIGNS[char], char, start)
