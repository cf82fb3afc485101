"""The filter wheel: what sits where, and how far each filter shifts the focus."""

from dome.oldini import fetch


def wheel_names() -> list[str]:
    """Names in the order of the wheel."""
    return [name.strip() for name in fetch("wheel", "names", "filters.ini").split(",")]


def focus_offset(name: str) -> int:
    """Steps to add with a filter. Raises ValueError for one that is not in the wheel."""
    place = wheel_names().index(name)
    return int(fetch("wheel", "offsets", "filters.ini").split(",")[place])


def turns(first: str, second: str) -> int:
    """How many places the wheel moves from one filter to another, the short way."""
    names = wheel_names()
    away = abs(names.index(first) - names.index(second))
    return min(away, len(names) - away)
