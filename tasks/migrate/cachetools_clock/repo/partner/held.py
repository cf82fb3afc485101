"""Caches of the partner API."""

import time

from cachetools import TTLCache, cached


def held(seconds: float, size: int = 256):
    """Decorator: keep results for some seconds."""
    return cached(TTLCache(size, seconds, timer=time.time))
