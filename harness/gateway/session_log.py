"""What went through a session, in the program's own transcript format, for audit and viewers."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from harness.transcript import Transcript
from harness.types import Compaction, Message, Usage

SOURCES = {"assistant": "agent", "tool": "tool"}


class SessionLogs:
    """The logs of a session: one, and a further one for every history that parts from the others.

    The first is in `folder`, or in `<folder>-2`, `<folder>-3` ... where that is there already.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.logs: list[SessionLog] = []

    def of(self, head: Sequence[Message], hashes: Sequence[str]) -> SessionLog:
        """The log that a history goes on from, or a new one. hashes: of its beginnings."""
        fitting = [log for log in self.logs if log.leads_to(hashes)]
        if fitting:
            return max(fitting, key=lambda log: log.written)
        self.logs.append(SessionLog(self._new_folder(), head))
        return self.logs[-1]

    def _new_folder(self) -> Path:
        for number in itertools.count(1):
            name = self.folder.name if number == 1 else f"{self.folder.name}-{number}"
            folder = self.folder.with_name(name)
            if not folder.exists():
                break
        folder.mkdir(parents=True)
        return folder

    def close(self) -> None:
        """Close all files."""
        for log in self.logs:
            log.close()


class SessionLog:
    """Writes `events.jsonl`: messages once, each compaction, each view that had an injection."""

    def __init__(self, folder: Path, head: Sequence[Message]) -> None:
        self._file = (folder / "events.jsonl").open("w", encoding="utf-8")
        self._transcript = Transcript(self._file)
        self._hashes = [""]
        self._turn = 0
        for message in head:
            self._transcript.add(message, 0, "system")

    @property
    def written(self) -> int:
        """How many messages of the history are written."""
        return len(self._hashes) - 1

    def leads_to(self, hashes: Sequence[str]) -> bool:
        """Whether a history begins with what is written."""
        return self._hashes == list(hashes[: len(self._hashes)])

    def add(self, rest: Sequence[Message], hashes: Sequence[str], upto: int) -> None:
        """Write the messages before `upto` that are not written yet."""
        for at in range(self.written, upto):
            message = rest[at]
            self._turn += message["role"] == "assistant"
            # A user's message belongs to the turn that answers it.
            turn = self._turn + (message["role"] not in SOURCES)
            self._transcript.add(message, turn, SOURCES.get(message["role"], "user"))
            self._hashes.append(hashes[at + 1])

    def compact(
        self, view: Sequence[Message], compaction: Compaction, usage: Usage, notes: Sequence[str]
    ) -> None:
        """Write a seam: the view from here on."""
        event = {
            "artefacts": compaction.artefacts,
            "usage": asdict(usage),
            "noop": compaction.noop,
            "notes": list(notes),
        }
        self._transcript.compact(view, self._turn + 1, event)

    def show(self, shown: Sequence[Message]) -> None:
        """Write the view that was passed on, where the strategy put something into it."""
        self._transcript.show(shown, self._turn + 1)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
