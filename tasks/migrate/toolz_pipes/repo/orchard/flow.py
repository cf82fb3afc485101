"""Flow: rows with steps one after the other."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from typing import Any

Key = Callable[[Any], Hashable] | str


def _reader(key: Key) -> Callable[[Any], Any]:
    return key if callable(key) else lambda row: row[key]


class Flow:
    """A chain over rows: Flow(rows).where(test).each(func).rows()."""

    def __init__(self, rows: Iterable[Any]) -> None:
        self._rows = list(rows)

    def where(self, test: Callable[[Any], bool]) -> "Flow":
        """Only the rows that pass the test."""
        return Flow(row for row in self._rows if test(row))

    def each(self, func: Callable[[Any], Any]) -> "Flow":
        """The function's result in the place of each row."""
        return Flow(func(row) for row in self._rows)

    def top(self, n: int, key: Key) -> "Flow":
        """The n rows with the largest keys, largest first."""
        return Flow(sorted(self._rows, key=_reader(key), reverse=True)[:n])

    def sheets(self, n: int) -> "Flow":
        """Tuples of n rows each, the last one shorter where it must be."""
        return Flow(tuple(self._rows[i : i + n]) for i in range(0, len(self._rows), n))

    def sums(self, key: Key, value: Key) -> dict[Hashable, float]:
        """Sum of the values by key."""
        sums: dict[Hashable, float] = defaultdict(int)
        for row in self._rows:
            sums[_reader(key)(row)] += _reader(value)(row)
        return dict(sums)

    def counts(self, key: Key) -> dict[Hashable, int]:
        """Number of rows by key."""
        return self.sums(key, lambda row: 1)  # type: ignore[arg-type]

    def groups(self, key: Key) -> dict[Hashable, list[Any]]:
        """Rows by key."""
        groups: dict[Hashable, list[Any]] = defaultdict(list)
        for row in self._rows:
            groups[_reader(key)(row)].append(row)
        return dict(groups)

    def rows(self) -> list[Any]:
        """The rows as they are at this point."""
        return list(self._rows)
