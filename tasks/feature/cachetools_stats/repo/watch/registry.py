"""Which functions are shown, and under which name."""

from collections.abc import Callable, Iterator


class Registry:
    """Decorated functions by name, in the order in which they were entered."""

    def __init__(self) -> None:
        self._functions: dict[str, Callable] = {}

    def enter(self, name: str, function: Callable) -> None:
        """Enter a function. Raises ValueError for a name in use, TypeError without a cache."""
        if name in self._functions:
            raise ValueError(f"there is a function {name!r} in the registry")
        if not hasattr(function, "cache_info"):
            raise TypeError(f"{name!r} has no cache to look at")
        self._functions[name] = function

    def entered(self, name: str) -> Callable:
        """The same as a decorator."""

        def decorator(function: Callable) -> Callable:
            self.enter(name, function)
            return function

        return decorator

    def __iter__(self) -> Iterator[tuple[str, Callable]]:
        return iter(self._functions.items())

    def __getitem__(self, name: str) -> Callable:
        return self._functions[name]

    def clear_all(self) -> None:
        """Empty every cache in the registry."""
        for function in self._functions.values():
            function.cache_clear()
