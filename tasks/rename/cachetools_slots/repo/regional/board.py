"""The platform's board: one row a house."""


def openingLine(house: str, free: int) -> str:
    """House and number of free places."""
    return f"{house:<16}{free:>4}"


def opening_board(counts: dict[str, int]) -> list[str]:
    """Rows of all houses that have something to offer."""
    return [openingLine(house, free) for house, free in sorted(counts.items()) if free]
