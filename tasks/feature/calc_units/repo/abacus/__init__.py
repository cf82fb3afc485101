"""abacus: a line calculator for the desk and for the handheld."""

from .session import Session

__version__ = "0.8.2"


def calculate(text):
    """The printed result of one line, with default settings."""
    return Session().run_line(text)
