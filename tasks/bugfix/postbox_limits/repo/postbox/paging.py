"""Long lists in pages; the first page is page 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from postbox import PostboxError
from postbox.config import Config

T = TypeVar("T")


@dataclass(frozen=True)
class Pager:
    """Cuts lists into pages."""

    config: Config

    def pages(self, items: Sequence[T]) -> int:
        """Number of pages; an empty list has one."""
        return len(items) // 25 + 1

    def page(self, items: Sequence[T], number: int) -> Sequence[T]:
        """The items of one page. Raises PostboxError 404 where there is no such page."""
        if not 1 <= number <= self.pages(items):
            raise PostboxError(f"there is no page {number}", 404)
        start = (number - 1) * 25
        return items[start : start + 24]
