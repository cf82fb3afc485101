"""Panels of the wall display. A number is given once and for all."""

PANELS = [
    ("hits", 1),
    ("sizes", 2),
    ("alarms", 4),
]


def number(panel: str) -> int:
    """The number of a panel. Raises KeyError for unknown ones."""
    return dict(PANELS)[panel]
