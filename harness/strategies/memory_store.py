"""The store behind long_mem: one table in an SQLite file, which can outlive a trial.

A trial's own items are those of its task *and* its session. What another trial of the same task
stored is never given back: it would tell a trial its own future.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from harness.errors import StrategyError, UserError
from harness.extract.lex_work import IDENT
from harness.extract.paths import paths_in
from harness.strategies.card import line_of
from harness.types import State

KINDS = ("constraints", "open", "files", "naming", "decisions", "environment")

# Long enough for the writes of all other trials at once (a few ms each), short enough that a store
# held by somebody else costs a trial and not the run.
TIMEOUT_S = 5.0

PREFILLED = "prefill"
"""Session of items that were there beforehand."""

_TABLE = """
CREATE TABLE IF NOT EXISTS items (
    task TEXT NOT NULL, session TEXT NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL,
    paths TEXT NOT NULL, turn INTEGER NOT NULL, priority INTEGER NOT NULL,
    PRIMARY KEY (task, session, kind, text)
)
"""
_INSERT = "INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?, ?, ?, ?)"
_COLUMNS = "SELECT task, kind, text, paths, turn, priority FROM items"
_OWN = f"{_COLUMNS} WHERE task = ? AND session = ? ORDER BY rowid"
_FOREIGN = f"{_COLUMNS} WHERE task != ? ORDER BY task, session, rowid"
_FAULTS = {
    sqlite3.SQLITE_BUSY: ("store_locked", f"is locked by another program for over {TIMEOUT_S:g} s"),
    sqlite3.SQLITE_LOCKED: ("store_locked", "is locked by another program"),
    sqlite3.SQLITE_CANTOPEN: ("store_missing", "cannot be opened; its folder must exist"),
    sqlite3.SQLITE_NOTADB: ("store_damaged", "is not an SQLite file; move it away"),
    sqlite3.SQLITE_CORRUPT: ("store_damaged", "is damaged; move it away"),
}


@dataclass(frozen=True)
class Item:
    """One stored item. task: opaque handle; turn: turns there were when it was stored;
    priority: place within its kind, 0 first; text: one line."""

    task: str
    kind: str
    text: str
    paths: tuple[str, ...] = ()
    turn: int = 0
    priority: int = 0


class MemoryStore:
    """Items in an SQLite file. Every method raises StrategyError where the file fails."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def keep(self, task: str, session: str, own: Iterable[Item], others: Iterable[Item]) -> None:
        """Replace the items of a session; `others`, from elsewhere, are there once."""
        with self._open("rwc") as db:
            # Outside of a transaction, and kept in the file: readers then never wait for writers.
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("BEGIN IMMEDIATE")
            db.execute(_TABLE)
            db.execute("DELETE FROM items WHERE task = ? AND session = ?", (task, session))
            db.executemany(_INSERT, [_row(item, session) for item in own])
            db.executemany(_INSERT, [_row(item, PREFILLED) for item in others])
            db.execute("COMMIT")

    def own(self, task: str, session: str) -> list[Item]:
        """Items of a session of a task, as stored."""
        with self._open("rw") as db:
            return [_item(row) for row in db.execute(_OWN, (task, session))]

    def foreign(self, task: str) -> list[Item]:
        """Items of all other tasks, each text once."""
        with self._open("rw") as db:
            found = [_item(row) for row in db.execute(_FOREIGN, (task,))]
        return list({(item.task, item.kind, item.text): item for item in found}.values())

    @contextmanager
    def _open(self, mode: str) -> Iterator[sqlite3.Connection]:
        where = f"file:{quote(str(self.path.absolute()))}?mode={mode}"
        try:
            db = sqlite3.connect(where, uri=True, timeout=TIMEOUT_S, isolation_level=None)
            with closing(db):
                yield db
        except (sqlite3.Error, ValueError, TypeError) as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the plain code
            kind, text = _FAULTS.get(code, ("store_damaged", f"cannot be used: {error}"))
            raise StrategyError(f"memory store {self.path} {text}", kind=kind) from None


def names_of(item: Item) -> frozenset[str]:
    """Paths and identifiers that an item speaks of, by which its use can be told."""
    found = [match.group().strip("`") for match in IDENT.finditer(item.text)]
    return frozenset([*item.paths, *(name for name in found if " " not in name)])


def _row(item: Item, session: str) -> tuple[str | int, ...]:
    paths = json.dumps(item.paths, ensure_ascii=False)
    return item.task, session, item.kind, item.text, paths, item.turn, item.priority


def _item(row: Sequence[str | int]) -> Item:
    task, kind, text, paths, turn, priority = row
    return Item(
        str(task), str(kind), str(text), _paths(json.loads(paths)), int(turn), int(priority)
    )


def _paths(found: object) -> tuple[str, ...]:
    if not isinstance(found, list) or not all(isinstance(path, str) for path in found):
        raise ValueError("paths: expected a list of texts")
    return tuple(found)


def items_of(state: State, task: str, turn: int, kinds: Sequence[str] = KINDS) -> list[Item]:
    """A state as items to store, by kind in the order given, then in order of mention."""
    items: dict[tuple[str, str], Item] = {}
    for kind in kinds:
        for place, value in enumerate(getattr(state, kind)):
            text = line_of(kind, value)
            items.setdefault((kind, text), Item(task, kind, text, paths_in(text), turn, place))
    return list(items.values())


def read_items(path: str) -> list[Item]:
    """Items of a JSON Lines file: task, kind, text, paths. Raises UserError naming the line."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"strategy.prefill: {path} cannot be read: {error}") from None
    items = []
    for number, line in enumerate(lines, 1):
        try:
            data = json.loads(line)
            texts = [data.pop(key) for key in ("task", "kind", "text")]
            paths = _paths(data.pop("paths"))
            if data or texts[1] not in KINDS or not all(isinstance(t, str) and t for t in texts):
                raise ValueError
        except (ValueError, KeyError, TypeError, AttributeError):
            raise UserError(
                f"strategy.prefill: {path}: line {number}: expected an object of task, kind "
                f"({', '.join(KINDS)}), text and paths (a list), as seambench export memory writes"
            ) from None
        items.append(Item(texts[0], texts[1], texts[2], paths, priority=number))
    return items
