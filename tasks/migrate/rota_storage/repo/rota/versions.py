"""Formats in which plans have been kept, with their running numbers, the newest at the end.

The installer reads the list and converts an older plan one step at a time.
"""

FORMATS: tuple[tuple[int, str], ...] = (
    (1, "planning-sheet"),
    (2, "single-file"),
)


def format_lines() -> list[str]:
    """One line for each format."""
    return [f"{number:>3}  {name}" for number, name in FORMATS]
