"""Article numbers: EAN-13."""

from validators import validator

WEIGHTS = (1, 3)


def ean_checksum(body: str) -> str:
    """Last digit of an article number, from the twelve before it."""
    total = sum(int(char) * WEIGHTS[index % 2] for index, char in enumerate(body))
    return str(-total % 10)


@validator
def article(value: str, /):
    """True for 13 digits of which the last one fits."""
    if len(value) != 13 or not value.isdecimal():
        return False
    our_sum = ean_checksum(value[:12])
    return value[12] == our_sum


def country_of(value: str) -> str:
    """Prefix of the numbering body; in-house numbers begin with 2."""
    return "in-house" if value.startswith("2") else value[:3]
