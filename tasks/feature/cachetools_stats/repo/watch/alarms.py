"""Complaints about caches that do not pay."""

from collections.abc import Iterable, Iterator

from watch.snapshot import Row

MIN_CALLS = 20
MIN_HIT_SHARE = 0.2


def idle(row: Row) -> str | None:
    """A cache that is rarely hit, once it has been used enough to tell."""
    calls = row["hits"] + row["misses"]
    if calls < MIN_CALLS or row["hits"] >= calls * MIN_HIT_SHARE:
        return None
    return f"{row['name']}: only {row['hits']} hits in {calls} calls"


def crowded(row: Row) -> str | None:
    """A full cache that misses more than it hits."""
    if row["limit"] is None or row["size"] < row["limit"] or row["hits"] >= row["misses"]:
        return None
    return f"{row['name']}: full with {row['size']} entries, more misses than hits"


RULES = [idle, crowded]


def complaints(rows: Iterable[Row]) -> Iterator[str]:
    """What the rules say about the rows, row by row."""
    for row in rows:
        for rule in RULES:
            said = rule(row)
            if said is not None:
                yield said
