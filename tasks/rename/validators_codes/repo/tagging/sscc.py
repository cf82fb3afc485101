"""Pallet numbers: SSCC, eighteen digits."""

from validators import validator


def sscc_checksum(body: str) -> str:
    """Last digit of a pallet number, from the seventeen before it."""
    total = sum(int(char) * (1 if index % 2 else 3) for index, char in enumerate(body))
    return str(-total % 10)


@validator
def pallet(value: str, /):
    """True for eighteen digits of which the last one fits."""
    if len(value) != 18 or not value.isdecimal():
        return False
    our_sum = sscc_checksum(value[:17])
    return value[17] == our_sum


def next_pallet(company: str, serial: int) -> str:
    """A full pallet number of ours. Raises ValueError for a company of a wrong length."""
    if len(company) not in (7, 8, 9):
        raise ValueError(f"expected 7 to 9 digits for the company, found {company!r}")
    body = f"3{company}{serial:0{16 - len(company)}d}"
    return body + sscc_checksum(body)
