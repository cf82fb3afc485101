"""Something to look at: three functions with caches, and a little use of them."""

from cachetools.func import fifo_cache, lru_cache, ttl_cache

from watch.registry import Registry

registry = Registry()


@registry.entered("squares")
@lru_cache(maxsize=8)
def square(number: int) -> int:
    return number * number


@registry.entered("words")
@fifo_cache(maxsize=None)
def word(number: int) -> str:
    return ["one", "two", "three", "four", "five"][number - 1]


@registry.entered("weekdays")
@ttl_cache(maxsize=16, ttl=60)
def weekday(number: int) -> str:
    return ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][number % 7]


def exercise() -> None:
    """Call everything some times."""
    registry.clear_all()
    for number in (1, 2, 3, 1, 2, 9):
        square(number)
        weekday(number)
    for number in (1, 5, 1):
        word(number)
