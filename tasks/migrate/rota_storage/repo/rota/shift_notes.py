"""Notes that one shift leaves for the following one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from rota.clock import parse_day
from rota.shelf import Row, Shelf


@dataclass(frozen=True)
class Note:
    """A line of text for whoever works on a day."""

    day: date
    text: str


def note_row(note: Note) -> Row:
    """A note as it is kept."""
    return {"day": note.day.isoformat(), "text": note.text}


def load_notes(folder: Path) -> list[Note]:
    """The notes of a plan."""
    rows = Shelf(folder).rows("notes", bad="skip")
    return [Note(parse_day(row["day"]), row["text"]) for row in rows]


def save_notes(folder: Path, notes: Iterable[Note]) -> None:
    """Replace the notes of a plan."""
    Shelf(folder).write("notes", (note_row(note) for note in notes))
