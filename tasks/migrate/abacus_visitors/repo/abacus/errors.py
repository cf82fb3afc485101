"""What can go wrong with a line, by the stage that notices it."""


class CalcError(Exception):
    """Base of all errors that are shown to the user.

    `position` is the column (from 0) at which the trouble begins, or
    None where the whole line is meant.
    """

    label = "error"

    def __init__(self, message, position=None):
        super().__init__(message)
        self.message = message
        self.position = position


class LexError(CalcError):
    """A character that begins no token."""

    label = "unreadable"


class ParseError(CalcError):
    """Tokens that form no sentence of the language."""

    label = "syntax"


class EvalError(CalcError):
    """A well-formed line whose value cannot be worked out."""

    label = "value"


class NameLookupError(EvalError):
    """A name that is neither a variable nor a constant."""

    label = "name"


class NoRuleError(CalcError):
    """A pass met a sort of node that it has no rule for."""

    label = "internal"


def report(error):
    """Lines to print for an error: a caret under the spot, the text."""
    lines = []
    if error.position is not None:
        lines.append(" " * error.position + "^")
    lines.append(f"{error.label}: {error.message}")
    return lines
