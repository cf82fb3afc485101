"""abacus: a line calculator that can also tell what it would do."""

from .session import Session

__version__ = "0.8.6"


def calculate(text):
    """The printed result of one line, with default settings."""
    return Session().run_line(text)
