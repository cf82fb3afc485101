"""Weeks of the board, which begin with the milk year on the first of March."""

from datetime import date


def week_label(made: date) -> str:
    """The week of a day in its milk year."""
    year = made.year if made.month >= 3 else made.year - 1
    return f"{year}-M{(made - date(year, 3, 1)).days // 7:02d}"
