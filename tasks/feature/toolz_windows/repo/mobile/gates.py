"""Gates as a drawing."""


def openings(percents: list[int]) -> list[int]:
    """Percent open, first and last."""
    return [percents[0], percents[-1]]
