"""Keys of cached rows."""

from cachetools.keys import hashkey

from clinic.compat import retired


def ward_key(ward: str, day: str) -> tuple:
    """Key of a ward's day; wards are told apart without regard to case."""
    return hashkey("ward", ward.lower(), day)


room_key = retired("room_key", ward_key, until="2.6")


def opening_key(ward: str, day: str, opening_id: int) -> tuple:
    """Key of one place. Raises ValueError for numbers below 1."""
    if opening_id < 1:
        raise ValueError(f"places are numbered from 1, found {opening_id}")
    return hashkey(*ward_key(ward, day), opening_id)
