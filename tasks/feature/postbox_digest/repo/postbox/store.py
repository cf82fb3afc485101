"""Boxes and messages on sqlite3."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from postbox import PostboxError

SCHEMA = Path(__file__).with_name("schema.sql")
COLUMNS = "ref, box, sender, words, sent, seen"


@dataclass(frozen=True)
class Message:
    """One message; `sent` is in seconds since the epoch, `seen` is 0 or 1."""

    ref: int
    box: str
    sender: str
    words: str
    sent: int
    seen: int


class Store:
    """All that is kept. Closed by whoever opened it."""

    def __init__(self, path: str = ":memory:") -> None:
        self.base = sqlite3.connect(path, check_same_thread=False)
        self.base.executescript(SCHEMA.read_text(encoding="utf-8"))

    def make(self, name: str, owner: str) -> None:
        """A new box. Raises PostboxError 409 where the name is taken."""
        try:
            self.base.execute("insert into boxes values (?, ?)", (name, owner))
        except sqlite3.IntegrityError:
            raise PostboxError(f"there is a box {name}", 409) from None

    def owner(self, name: str) -> str:
        """Whose box it is. Raises PostboxError 404."""
        row = self.base.execute("select owner from boxes where name = ?", (name,)).fetchone()
        if row is None:
            raise PostboxError(f"there is no box {name}", 404)
        return row[0]

    def owners(self) -> list[str]:
        """Everybody who owns a box, by name."""
        rows = self.base.execute("select distinct owner from boxes order by owner")
        return [row[0] for row in rows]

    def drop(self, box: str, sender: str, words: str, sent: int) -> int:
        """Put a message into a box; its ref."""
        self.owner(box)
        row = (box, sender, words, sent)
        added = "insert into messages (box, sender, words, sent) values (?, ?, ?, ?)"
        return int(self.base.execute(added, row).lastrowid or 0)

    def message(self, ref: int) -> Message:
        """One message. Raises PostboxError 404."""
        asked = f"select {COLUMNS} from messages where ref = ?"
        row = self.base.execute(asked, (ref,)).fetchone()
        if row is None:
            raise PostboxError(f"there is no message {ref}", 404)
        return Message(*row)

    def messages(self, box: str) -> list[Message]:
        """All of a box, the newest first."""
        self.owner(box)
        asked = f"select {COLUMNS} from messages where box = ? order by sent desc, ref desc"
        return [Message(*row) for row in self.base.execute(asked, (box,))]

    def mark(self, ref: int) -> None:
        """Note that a message has been seen."""
        self.base.execute("update messages set seen = 1 where ref = ?", (ref,))
