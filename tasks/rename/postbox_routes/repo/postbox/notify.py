"""Word to owners of boxes: lines that wait until something fetches them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

LINE = "{sender} wrote to you, see /open-letter/{ref}"
WAITING = 500


@dataclass(frozen=True)
class Notice:
    """One line for one owner."""

    owner: str
    line: str


@dataclass
class Outbox:
    """Notices in the order in which they came; the oldest go where there are too many."""

    waiting: deque[Notice] = field(default_factory=lambda: deque(maxlen=WAITING))

    def tell(self, owner: str, sender: str, ref: int) -> None:
        """Note that an owner has a new message."""
        self.waiting.append(Notice(owner, LINE.format(sender=sender, ref=ref)))

    def fetch(self, owner: str) -> list[str]:
        """Lines of an owner; they do not wait any more then."""
        lines = [notice.line for notice in self.waiting if notice.owner == owner]
        kept = [notice for notice in self.waiting if notice.owner != owner]
        self.waiting.clear()
        self.waiting.extend(kept)
        return lines
