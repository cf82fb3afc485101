"""Loans at the terminal: the number of a copy is read by the gate."""

from desk.utils import terminal_check


@terminal_check
def copy_number(value):
    return value.isdecimal() and len(value) == 8


def read_loans(data):
    """The number. Raises ValueError for one that the gate has misread."""
    copy_number(data["copy"], r_ve=True)
    return int(data["copy"])
