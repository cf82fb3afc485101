"""Lexers for the desk."""

from __future__ import annotations

from sqlparse.lexer import Lexer


def plain_lexer() -> Lexer:
    """A new lexer for plain SQL that shares nothing with sqlparse's own."""
    lexer = Lexer()
    lexer.default_initialization()
    return lexer
