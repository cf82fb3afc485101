"""Article numbers in the carriers' lists: twelve digits come in, thirteen go out."""


def ean_checksum(body: str) -> str:
    """Last digit of an article number."""
    odd = sum(int(char) for char in body[-1::-2])
    even = sum(int(char) for char in body[-2::-2])
    return str(-(3 * odd + even) % 10)


def completed(body: str) -> str:
    """All thirteen digits."""
    return body + ean_checksum(body)
