"""abacus: a line calculator for the desk, with a drawer for money sums."""

from .session import Session

__version__ = "0.8.4"


def calculate(text):
    """The printed result of one line, with default settings."""
    return Session().run_line(text)
