"""Caches that expire by the date and time of the machine."""

import time

from cachetools import TTLCache, cached


def wall_cache(size: int, seconds: float) -> TTLCache:
    """An empty cache whose entries live until the date says so."""
    return TTLCache(size, seconds, timer=time.time)


def wall_cached(seconds: float, size: int = 256):
    """Decorator: one cache for all instances of the class."""
    return cached(wall_cache(size, seconds))
