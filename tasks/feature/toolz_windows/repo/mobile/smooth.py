"""The level for a small screen."""


def smoothed(levels: list[int]) -> list[int]:
    """Centimetres, as measured."""
    return list(levels)
