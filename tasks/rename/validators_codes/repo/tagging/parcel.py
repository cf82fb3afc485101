"""Parcel numbers: two letters for the service, nine digits, two letters for the country."""

import re

from validators import validator

WEIGHTS = (8, 6, 4, 2, 3, 5, 9, 7)
SHAPE = re.compile(r"[A-Z]{2}[0-9]{9}[A-Z]{2}")
SERVICES = {"R": "registered", "E": "express", "C": "parcel", "L": "letter"}


def s10_checksum(serial: str) -> str:
    """Ninth digit of a parcel number, from the eight before it."""
    total = sum(int(char) * weight for char, weight in zip(serial, WEIGHTS, strict=True))
    rest = 11 - total % 11
    return {10: "0", 11: "5"}.get(rest, str(rest))


@validator
def parcel(value: str, /):
    """True for a parcel number whose ninth digit fits."""
    if not SHAPE.fullmatch(value):
        return False
    our_sum = s10_checksum(value[2:10])
    return value[10] == our_sum


def service_of(value: str) -> str:
    """What was paid for, by the first letter; "other" for letters without a meaning here."""
    return SERVICES.get(value[:1], "other")


def grouped(value: str) -> str:
    """The number as printed: letters and digits in groups."""
    return f"{value[:2]} {value[2:5]} {value[5:8]} {value[8:11]} {value[11:]}"
