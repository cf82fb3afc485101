"""Copies and prints at the terminal, paid at once."""

from desk.utils import terminal_check


@terminal_check
def pages(value):
    return value.isdecimal() and 0 < int(value) <= 200


def read_invoice(data):
    """Cents for the pages. Raises ValueError for a number that no copier takes."""
    pages(data["pages"], r_ve=True)
    return int(data["pages"]) * 10
