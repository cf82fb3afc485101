"""Session files as records: lines or members of a document, one at a time, damage by number."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from harness.readers.documents import DocumentError, members

HEAD = 512 * 1024
RECORD = 64 * 1024 * 1024
"""Bytes of one record; a longer one is damage."""
NAMED = 20
"""Damaged records that are named one by one; the others are counted."""

_STEP = re.compile(r"(?:event-)?\d+\b.*\.json")
_PACKED = {b"\x28\xb5\x2f\xfd": "zstd", b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ": "xz"}


class NotRead(Exception):
    """The file is no session that can be read; the text says why, in one line."""


@dataclass(frozen=True)
class Head:
    """How a file begins, which is all that a format is told by.

    records: the objects on its first lines. members: of a document, complete values by key and of
    each list its first element. lines: is it one object a line?
    """

    start: bytes
    records: tuple[dict[str, Any], ...] = ()
    members: dict[str, Any] = field(default_factory=dict)
    keys: frozenset[str] = frozenset()
    lines: bool = False


class Source:
    """A session file, or a folder of one event a file, and what was wrong with it."""

    END = "\x00end"
    """Key of the record that stands between two documents in one file."""

    def __init__(self, path: Path, parts: tuple[Path, ...] = ()) -> None:
        self.path = path
        self.parts = parts
        self.damage: list[tuple[int, str]] = []
        self.damaged_count = 0
        self.skipped: Counter[str] = Counter()
        self.notes: list[str] = []
        self.read = 0
        self.head = self._head()

    def damaged(self, number: int, why: str) -> None:
        """A record could not be read."""
        self.damaged_count += 1
        if len(self.damage) < NAMED:
            self.damage.append((number, why))

    def skip(self, kind: Any) -> None:
        """A record of a type that says nothing here, or that is not known; counted by type."""
        name = str(kind)[:60] if isinstance(kind, str) else "no type"
        if name in self.skipped or len(self.skipped) < 100:
            self.skipped[name] += 1
        else:
            self.skipped["other types"] += 1

    def note(self, text: str) -> None:
        """Something a person should know, once."""
        if text not in self.notes and len(self.notes) < NAMED:
            self.notes.append(text)

    def records(self, shape: str | None) -> Iterator[tuple[int, str, Any]]:
        """(number, key, value) of each record; the number is that of the line or the member."""
        if self.parts:
            yield from self._from_parts()
        elif shape == "lines" or (shape is None and self.head.lines):
            yield from self._from_lines()
        else:
            yield from self._from_document()

    def _from_lines(self) -> Iterator[tuple[int, str, Any]]:
        for number, line in numbered_lines(self.path):
            if line is None:
                self.damaged(number, f"longer than {RECORD // 2**20} MB")
                continue
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                torn = "" if line.endswith(b"\n") else "; the file ends within it"
                self.damaged(number, f"no JSON{torn}")
                continue
            if isinstance(value, dict):
                self.read += 1
                yield number, "", value
            else:
                self.damaged(number, "no JSON object")

    def _from_document(self) -> Iterator[tuple[int, str, Any]]:
        number = 0
        with self.path.open("rb") as file:
            try:
                for key, value in members(_text(file), RECORD):
                    if key is None:
                        yield number, self.END, None
                        continue
                    number += 1
                    self.read += 1
                    yield number, key, value
            except DocumentError as error:
                self.damaged(number + 1, str(error))

    def _from_parts(self) -> Iterator[tuple[int, str, Any]]:
        for number, path in enumerate(self.parts, 1):
            try:
                if path.stat().st_size > RECORD:
                    raise ValueError
                value = json.loads(path.read_text(encoding="utf-8", errors="replace"))
            except (OSError, ValueError, RecursionError):
                self.damaged(number, f"{path.name}: no JSON that can be read")
                continue
            if isinstance(value, dict):
                self.read += 1
                yield number, "", value

    def _head(self) -> Head:
        first = self.parts[0] if self.parts else self.path
        with first.open("rb") as file:
            start = file.read(HEAD)
        if not start.strip(b"\xef\xbb\xbf \t\r\n"):
            raise NotRead("empty file")
        for magic, name in _PACKED.items():
            if start.startswith(magic):
                raise NotRead(f"packed with {name}: unpack it first")
        if start.startswith(b"PK\x03\x04"):
            return Head(start)
        if b"\x00" in start[:8192] and not start.lstrip().startswith(b"{"):
            raise NotRead("binary file")
        text = start.decode("utf-8", "replace").lstrip("\ufeff")
        records = tuple(_first_records(text))
        found = _first_members(text)
        filled = [line for line in text.split("\n", 2)[:2] if line.strip()]
        lines = bool(records) and (len(filled) > 1 or bool(self.parts))
        return Head(start, records, found, frozenset(found), lines)


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes | None]]:
    """Lines of a file that are not blank, numbered from 1; None for one that is too long."""
    with path.open("rb") as file:
        number = 0
        while line := file.readline(RECORD):
            number += 1
            if len(line) == RECORD and not line.endswith(b"\n"):
                while (rest := file.readline(RECORD)) and not rest.endswith(b"\n"):
                    pass
                yield number, None
            elif line.strip():
                yield number, line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line


def event_folder(paths: list[Path]) -> list[Path]:
    """Of a folder's files those that hold one numbered event each, in order."""
    found = [path for path in paths if _STEP.fullmatch(path.name)]
    return sorted(found, key=lambda p: [int(n) for n in re.findall(r"\d+", p.name)[:1]] + [p.name])


def _text(file: BinaryIO) -> Iterator[str]:
    from codecs import getincrementaldecoder

    decoder = getincrementaldecoder("utf-8-sig")(errors="replace")
    while chunk := file.read(HEAD):
        yield decoder.decode(chunk)
    yield decoder.decode(b"", final=True)


def _first_records(text: str) -> Iterator[dict[str, Any]]:
    for line in text.split("\n")[:200]:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield value


def _first_members(text: str) -> dict[str, Any]:
    """Members of the document that the text begins; the last key may lack its value."""
    found: dict[str, Any] = {}
    try:
        for key, value in members(iter([text]), RECORD):
            if key is None:
                break
            found.setdefault(key, value)
    except DocumentError as error:
        if error.key is not None:
            found.setdefault(error.key, None)
    return found
