"""How long to leave something alone that did not work."""

from __future__ import annotations

FIRST = 30
LONGEST = 3600


def delay(tries: int) -> int:
    """Seconds to wait after so many tries: twice as long each time, up to an hour."""
    if tries < 1:
        return 0
    return min(LONGEST, FIRST * 2 ** min(tries - 1, 10))
