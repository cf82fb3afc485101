"""Derived series by number; the archive stores the number, so none is ever given twice."""

SERIES = {
    1: "level",
    2: "rain",
    3: "rise",
    4: "gates",
}


def number(name: str) -> int:
    """The number of a series. Raises KeyError for an unknown name."""
    for found, known in SERIES.items():
        if known == name:
            return found
    raise KeyError(f"no series {name!r}")
