"""A member at the terminal: the card is put in, the year of birth is typed."""

from desk.utils import terminal_check


@terminal_check
def year(value):
    return value.isdecimal() and len(value) == 4


def read_membership(data):
    """Number and year. Raises ValueError at the first wrong key."""
    year(data["year"], r_ve=True)
    return int(data["card"]), int(data["year"])
