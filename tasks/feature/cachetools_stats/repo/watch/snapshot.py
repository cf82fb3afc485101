"""Rows of plain numbers, taken when asked for."""

from collections.abc import Callable, Iterable

from watch.registry import Registry

Row = dict[str, object]


def row(name: str, function: Callable) -> Row:
    """The numbers of one function. `limit` is None where the cache has no bound."""
    info = function.cache_info()
    return {
        "name": name,
        "hits": info.hits,
        "misses": info.misses,
        "size": info.currsize,
        "limit": info.maxsize,
    }


def rows(registry: Registry, only: Iterable[str] = ()) -> list[Row]:
    """Rows of the functions named, or of all. Raises KeyError for unknown names."""
    names = list(only)
    for name in names:
        registry[name]
    return [row(name, function) for name, function in registry if not names or name in names]


def total(taken: Iterable[Row], key: str) -> int:
    """Sum of one number over rows; what is absent counts as 0."""
    return sum(int(each.get(key) or 0) for each in taken)
