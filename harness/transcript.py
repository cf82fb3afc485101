"""The append-only event log of a trial, and the view of any turn derived from it.

Every message is stored once, under a number; a view is a list of such numbers, written as ranges,
so the log grows linearly. A fork's log begins where its prefix's ends and numbers on.

Events, one JSON object a line, by `type`:
    message     n, turn, source, message
    compaction  turn, view, artefacts, usage, noop, notes      the view from here on
    view        turn, view                                     shown at this turn only
    turn        turn, phase, reply, results, ok, files, ...    the end of a turn
    answer      turn, question, answer, kind                   what the scripted user answered
    files       turn, files                                    written by the strategy itself
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

from harness.errors import UserError
from harness.text import content_text, digest, glob_match
from harness.tools import parse_calls
from harness.types import Message, Usage

Event = dict[str, Any]
Ranges = list[list[int]]


@dataclass(frozen=True)
class Done:
    """A tool call that was carried out. `malformed`: it could not be parsed and was sent back."""

    tool: str
    args: dict[str, Any]
    ok: bool
    result: str
    malformed: bool = False


@dataclass(frozen=True)
class Turn:
    """One model response and the results of its calls, as read back from the log.

    files: path -> sha of what a written file holds after the turn, None where it is gone.
    """

    number: int
    say: str
    calls: tuple[Done, ...]
    files: dict[str, str | None]
    usage: Usage
    phase: str = "work"

    @property
    def commands(self) -> list[str]:
        return [call.args["command"] for call in self.calls if call.tool == "run" and call.args]

    @property
    def finished(self) -> bool:
        return any(call.tool == "finish" and call.ok for call in self.calls)


class Transcript:
    """Writes the log of one trial while it runs and knows the current view.

    `file` None keeps the events in memory only, as a prefix does until its seam is known.
    """

    def __init__(self, file: TextIO | None = None, prefix: Sequence[Event] = ()) -> None:
        self._file = file
        self.events: list[Event] = []
        self.messages = {e["n"]: e["message"] for e in prefix if e["type"] == "message"}
        self._numbers = {_key(message): n for n, message in self.messages.items()}
        self._view = view_numbers(prefix)
        self._written: set[int] = set()

    @property
    def view(self) -> list[Message]:
        """The messages that the model would be shown now."""
        return [self.messages[number] for number in self._view]

    def write(self, event: Event) -> None:
        """Append an event; with a file, it is on disk when this returns."""
        self.events.append(event)
        if self._file:
            self._file.write(json.dumps(event, ensure_ascii=False) + "\n")
            self._file.flush()

    def add(self, message: Message, turn: int, source: str) -> None:
        """Append a message to the log and to the view."""
        self._view.append(self._store(message, turn, source))

    def number(self, message: Message) -> int:
        """The number under which a message is stored."""
        return self._numbers[_key(message)]

    def compact(self, view: Sequence[Message], turn: int, event: Event) -> None:
        """Replace the view; `event` tells what was carried and what it cost."""
        self._view = [self._store(message, turn, "strategy") for message in view]
        self.write({"type": "compaction", "turn": turn, "view": to_ranges(self._view), **event})

    def show(self, view: Sequence[Message], turn: int) -> None:
        """Record the view shown at a turn where it differs from the current one (an injection)."""
        numbers = [self._store(message, turn, "strategy", injected=True) for message in view]
        if numbers != self._view:
            self.write({"type": "view", "turn": turn, "view": to_ranges(numbers)})

    def _store(self, message: Message, turn: int, source: str, injected: bool = False) -> int:
        """The message's number, a new one where it is new.

        Injected messages count down from -1, so that the numbers of a view stay few ranges. One
        that only the prefix has is written again where it is said, so that a log reads by itself.
        """
        key = _key(message)
        known = key in self._numbers
        if not known:
            number = min([0, *self.messages]) - 1 if injected else max([-1, *self.messages]) + 1
            self._numbers[key] = number
            self.messages[number] = message
        number = self._numbers[key]
        if not known or (source != "strategy" and number not in self._written):
            self._written.add(number)
            self.write(
                {"type": "message", "n": number, "turn": turn, "source": source, "message": message}
            )
        elif source != "strategy":
            self.write({"type": "again", "n": number, "turn": turn, "source": source})
        return number


def _key(message: Message) -> tuple[tuple[str, ...], ...]:
    """The same for equal messages alone. Texts stand for themselves, quicker than a digest."""
    items = sorted(message.items())
    return tuple((k, v) if isinstance(v, str) else (k, "", digest(v)) for k, v in items)


def work_of(turns: Iterable[Turn], owned: Sequence[str]) -> list[Turn]:
    """The turns without what they wrote to files that belong to the strategy."""
    return [
        replace(turn, files={p: s for p, s in turn.files.items() if not glob_match(p, owned)})
        for turn in turns
    ]


def to_ranges(numbers: Sequence[int]) -> Ranges:
    """[3, 4, 5, 9] -> [[3, 5], [9, 9]]."""
    ranges: Ranges = []
    for number in numbers:
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ranges


def from_ranges(ranges: Ranges) -> list[int]:
    """[[3, 5], [9, 9]] -> [3, 4, 5, 9]."""
    return [number for first, last in ranges for number in range(first, last + 1)]


def view_numbers(events: Iterable[Event]) -> list[int]:
    """Numbers of the messages in view after the events."""
    view: list[int] = []
    for event in events:
        if event["type"] == "compaction":
            view = from_ranges(event["view"])
        elif event["type"] in ("message", "again") and event["source"] != "strategy":
            view.append(event["n"])
    return view


def view_at(events: Sequence[Event], turn: int) -> list[Message]:
    """The messages that the model was shown at a turn. `events`: the prefix's, then the trial's."""
    messages = {event["n"]: event["message"] for event in events if event["type"] == "message"}
    shown = [e for e in events if e["type"] == "view" and e["turn"] == turn]
    if shown:
        return [messages[number] for number in from_ranges(shown[-1]["view"])]
    before = [e for e in events if e["turn"] < turn or _precedes_turn(e, turn)]
    return [messages[number] for number in view_numbers(before)]


def _precedes_turn(event: Event, turn: int) -> bool:
    """Compactions and user messages of a turn come before its response."""
    return event["turn"] == turn and event.get("source") not in ("agent", "tool")


def read_turns(events: Sequence[Event]) -> list[Turn]:
    """The turns of a log, in order. Without its `turn` event a turn is not over and is left out."""
    return list(_turns(events))


def _turns(events: Sequence[Event]) -> Iterator[Turn]:
    messages = {event["n"]: event["message"] for event in events if event["type"] == "message"}
    for event in events:
        if event["type"] != "turn":
            continue
        reply = messages[event["reply"]]
        results = [content_text(messages[number]) for number in event["results"]]
        calls = zip(parse_calls(reply), results, event["ok"], strict=True)
        yield Turn(
            number=event["turn"],
            say=content_text(reply),
            calls=tuple(
                Done(call.name, call.args, ok, result, malformed=call.error is not None)
                for call, result, ok in calls
            ),
            files=event["files"],
            usage=Usage(**event["usage"]),
            phase=event["phase"],
        )


def read_events(path: Path, until: int | None = None) -> list[Event]:
    """Events of a file, up to the turn `until`, or all.

    A torn last line is left out, damage elsewhere is a UserError.
    """
    lines = path.read_bytes().split(b"\n")
    events: list[Event] = []
    for number, line in enumerate(lines[:-1], 1):
        try:
            event = json.loads(line)
        except ValueError:
            raise UserError(f"{path}: line {number} is damaged; remove its folder") from None
        if until is not None and event["turn"] > until:
            break
        events.append(event)
    return events
