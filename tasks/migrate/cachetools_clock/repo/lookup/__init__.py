"""Reference data for the order desk, fetched from feeds and kept for a while.

CACHE_EPOCH is part of the file name under which a desk keeps its warm entries between restarts;
raising it makes every desk start cold once.
"""

CACHE_EPOCH = 4


def warm_file(desk: str) -> str:
    """Name of the file with the warm entries of a desk."""
    return f"{desk}-e{CACHE_EPOCH}.bin"
