"""Feeds: where the services get their rows from."""

from collections.abc import Mapping
from typing import Any


class FeedError(LookupError):
    """The feed has no row of that key."""


class TableFeed:
    """Rows held in memory. `fetches` counts how often each key was asked for."""

    def __init__(self, rows: Mapping[Any, Any]) -> None:
        self.rows = dict(rows)
        self.fetches: dict[Any, int] = {}

    def fetch(self, key: Any) -> Any:
        """The row of a key. Raises FeedError where there is none."""
        self.fetches[key] = self.fetches.get(key, 0) + 1
        try:
            return self.rows[key]
        except KeyError:
            raise FeedError(f"no row for {key!r}") from None
