"""Value of a ledger amount, worked out while it is read.

    amount  term (("+" | "-") term)*
    term    part (("*" | "/") part)*
    part    number | "-" part | "(" amount ")"
"""

from decimal import Decimal

from .errors import ParseError
from .lexing import is_plain_number, plain_words


def plain_value(text):
    """The Decimal of an amount. Raises ParseError or LexError."""
    words = plain_words(text)
    value = plain_amount(words)
    if words:
        raise ParseError(f"no amount: {words[0]}")
    return value


def plain_amount(words):
    value = plain_term(words)
    while words and words[0] in "+-":
        sign = words.pop(0)
        term = plain_term(words)
        value = value + term if sign == "+" else value - term
    return value


def plain_term(words):
    value = plain_part(words)
    while words and words[0] in "*/":
        sign = words.pop(0)
        part = plain_part(words)
        if sign == "/" and part == 0:
            raise ParseError("division by zero")
        value = value * part if sign == "*" else value / part
    return value


def plain_part(words):
    """A number, a signed part, or an amount in parentheses."""
    word = words.pop(0) if words else ""
    if word == "-":
        return -plain_part(words)
    if word == "(":
        value = plain_amount(words)
        if not words or words.pop(0) != ")":
            raise ParseError("a parenthesis is left open")
        return value
    if not is_plain_number(word):
        raise ParseError("an amount is missing")
    return Decimal(word)
