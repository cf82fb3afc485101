"""Box numbers: owner, category and serial of a freight container."""

import re
from string import ascii_uppercase

from validators import validator

SHAPE = re.compile(r"[A-Z]{3}[UJZ][0-9]{7}")
VALUES = dict(zip(ascii_uppercase, (n for n in range(10, 39) if n % 11), strict=True))
CATEGORIES = {"U": "freight", "J": "gear", "Z": "chassis"}


def checksum_box(body: str) -> str:
    """Last digit of a box number, from the ten characters before it."""
    values = (VALUES.get(char) or int(char) for char in body)
    total = sum(value * 2**place for place, value in enumerate(values))
    return str(total % 11 % 10)


@validator
def box(value: str, /):
    """True for a box number whose last digit fits."""
    if not SHAPE.fullmatch(value):
        return False
    our_sum = checksum_box(value[:10])
    return value[10] == our_sum


def category_of(value: str) -> str:
    """Freight, gear or chassis, by the fourth letter. Raises KeyError for others."""
    return CATEGORIES[value[3]]
