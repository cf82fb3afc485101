"""Words of a ledger amount: the plain scanner.

Ledger files hold amounts such as `12.50 + 3` without variables and
without functions. They are split here into numbers and signs.
"""

from .errors import LexError

PLAIN_SIGNS = "+-*/()"


def plain_words(text):
    """Numbers and signs of an amount, as texts in order.

    Raises LexError for anything that is neither.
    """
    words, number = [], ""
    for position, char in enumerate(text + " "):
        if char.isdigit() or char == ".":
            number += char
            continue
        if number:
            words.append(number)
            number = ""
        if char in PLAIN_SIGNS:
            words.append(char)
        elif not char.isspace():
            raise LexError(f"no amount: {char!r}", position)
    return words


def is_plain_number(word):
    """True for a word that is a number."""
    return word.replace(".", "", 1).isdigit()
