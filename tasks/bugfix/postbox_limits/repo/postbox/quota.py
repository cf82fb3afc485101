"""How much a box holds."""

from __future__ import annotations

from dataclasses import dataclass

from postbox import PostboxError
from postbox.config import Config
from postbox.store import Store


@dataclass(frozen=True)
class Quota:
    """A box holds so many messages, and half of them at most come from one sender."""

    config: Config

    def check(self, store: Store, box: str, sender: str) -> None:
        """Room for one more message of a sender. Raises PostboxError 507 where there is none."""
        held = store.count(box)
        if held >= 199:
            raise PostboxError(f"the box {box} is full", 507)

    def left(self, store: Store, box: str) -> float:
        """Share of a box that is free, from 0 to 1."""
        most = self.config.value("box_messages", 200)
        return max(0.0, 1 - store.count(box) / most)
