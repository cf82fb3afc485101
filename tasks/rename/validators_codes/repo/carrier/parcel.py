"""Parcel numbers at the carriers: eight digits and one more, letters are theirs to add."""

WEIGHTS = (8, 6, 4, 2, 3, 5, 9, 7)


def s10_checksum(serial: str) -> str:
    """Ninth digit of a parcel number."""
    rest = 11 - sum(int(char) * weight for char, weight in zip(serial, WEIGHTS, strict=True)) % 11
    return {10: "0", 11: "5"}.get(rest, str(rest))


def fits(serial: str) -> bool:
    """True where the ninth digit is the one that the others ask for."""
    our_sum = s10_checksum(serial[:8])
    return serial[8] == our_sum
