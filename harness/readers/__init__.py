"""Real session files of coding agents, told by their content and read into our transcripts.

`open_source` finds the format, `read` gives sessions, messages and compactions in order. A new
format is one file with a `Reader`, and its class in `READERS`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from harness.errors import UserError
from harness.readers.atif import AtifReader
from harness.readers.base import Item, Mark, Reader, Said, Session
from harness.readers.chat import ChatReader, MiniSweAgentReader
from harness.readers.claude import ClaudeReader
from harness.readers.codex import CodexReader
from harness.readers.gemini import GeminiReader
from harness.readers.inspect_log import InspectReader
from harness.readers.opencode import OpencodeReader
from harness.readers.openhands import OpenHandsReader
from harness.readers.own import OwnReader
from harness.readers.pi import PiReader
from harness.readers.source import NotRead, Source, event_folder
from harness.readers.sweagent import SweAgentReader

__all__ = [
    "READERS",
    "Item",
    "Mark",
    "NotRead",
    "Reader",
    "Said",
    "Session",
    "Source",
    "find_files",
    "open_source",
    "reader_of",
]

READERS: tuple[type[Reader], ...] = (
    InspectReader,
    AtifReader,
    OwnReader,
    CodexReader,
    ClaudeReader,
    OpenHandsReader,
    GeminiReader,
    PiReader,
    OpencodeReader,
    SweAgentReader,
    MiniSweAgentReader,
    ChatReader,
)
"""The more particular formats first: the first that claims a file reads it."""

_AIDER = b"# aider chat started at"
_STORES = (({"sessionID", "messageID"}, "part"), ({"sessionID", "role"}, "message"))


def find_files(paths: Iterable[str]) -> Iterator[tuple[Path, tuple[Path, ...]]]:
    """(path, parts) of every file under the paths, folders searched in order of name.

    A folder of numbered events is one source, its files the parts. Raises UserError for a path
    that does not exist.
    """
    for given in paths:
        path = Path(given).expanduser()
        if not path.exists():
            raise UserError(f"{given}: no such file or folder")
        if path.is_file():
            yield path, ()
            continue
        for folder, names, files in os.walk(path):
            names.sort()
            here = [Path(folder) / name for name in sorted(files)]
            parts = event_folder(here)
            if len(parts) > 1:
                yield Path(folder), tuple(parts)
            yield from ((one, ()) for one in here if len(parts) < 2 or one not in parts)


def open_source(path: Path, parts: tuple[Path, ...] = ()) -> Source:
    """The file, with its head read. Raises NotRead for what cannot be a session, OSError."""
    if not parts and not path.is_file():
        raise NotRead("no regular file")
    return Source(path, parts)


def reader_of(source: Source) -> Reader:
    """The reader of the file's format. Raises NotRead with the reason where there is none."""
    for reader in READERS:
        if reader.claims(source.head):
            return reader(source)
    raise NotRead(_reason(source))


def _reason(source: Source) -> str:
    head = source.head
    if head.start.startswith(_AIDER) or _AIDER in head.start[:2000]:
        return "an aider history: aider keeps its summaries in memory only"
    keys = set(head.keys)
    for marks, name in _STORES:
        if marks <= keys:
            return f"one {name} of an opencode store: run `opencode export SESSION`"
    if head.start.startswith(b"PK"):
        return "a zip file, no Inspect log"
    if head.records or head.members:
        return "JSON, but of no session format that is known"
    return "no session format that is known"
