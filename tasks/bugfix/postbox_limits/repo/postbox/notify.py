"""Word to owners of boxes: notices that wait until they can be sent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from postbox.config import Config

LINE = "{sender} wrote to you, see /messages/{ref}"
Send = Callable[[str, str], bool]


@dataclass
class Notice:
    """One line for one owner, not to be sent before `due`."""

    owner: str
    line: str
    tries: int = 0
    due: int = 0


@dataclass
class Outbox:
    """Notices in the order in which they came."""

    config: Config
    waiting: list[Notice] = field(default_factory=list)

    def tell(self, owner: str, sender: str, ref: int) -> None:
        """Note that an owner has a new message."""
        self.waiting.append(Notice(owner, LINE.format(sender=sender, ref=ref)))

    def deliver(self, send: Send, now: int) -> int:
        """Send what is due; how many were sent. `send` says whether it worked."""
        left: list[Notice] = []
        sent = 0
        for notice in self.waiting:
            if notice.due > now:
                left.append(notice)
            elif send(notice.owner, notice.line):
                sent += 1
            else:
                notice.tries += 1
        self.waiting = left
        return sent
