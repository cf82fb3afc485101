"""Calls of a model on a file: recorded as they are made, replayed without a network.

JSON lines. The first names the model; `part` lines hold each message and set of tools once; a
`call` line has the request by its parts and what came of it. A call is found again by its scope
(the trial or prefix), the request, and how often that request came in that scope, so the order of
trials does not matter. Where a trial was run again the newer call counts. Where an agent puts times
and ids into its requests, `same` says what of an entry counts; only that is on the tape.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.errors import ModelError, UserError
from harness.text import digest

VERSION = 1
LISTS = ("messages", "input", "tools")
"""Fields of a request that repeat from call to call."""
SHOWN = 40  # characters of either side of a difference

Same = Callable[[Any], Any]

Outcome = dict[str, Any]
"""What came of a call: {"reply": decoded body} or {"error": {"kind", "text"}}."""


class Tape:
    """Writes calls to a file, behind those of an earlier run of the same model.

    model: the configuration of the model, for the first line. Processes may write at the same
    time. Raises UserError where the file cannot be written or holds calls of another model.
    """

    def __init__(self, path: Path, model: Mapping[str, Any], same: Same | None = None) -> None:
        self.path = path
        self._same = same
        self._came: Counter[tuple[str, str]] = Counter()
        self._parts: set[str] = set()
        head = {"tape": VERSION, "model": dict(model)}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                _cut_torn_line(file)
                file.seek(0)
                first = file.readline()
                if not first:
                    file.write(_line(head))
        except OSError as error:
            raise UserError(f"tape: {path} cannot be written: {error.strerror}") from None
        if first and _decoded(first, path, 1) != json.loads(_line(head)):
            raise UserError(f"tape: {path} holds calls of another model; name another file")

    def record(self, scope: str, body: Mapping[str, Any], outcome: Outcome) -> None:
        """Append a call; it is on disk when this returns."""
        request, parts = _split(body, self._same)
        key = digest(request)
        new = {name: part for name, part in parts.items() if name not in self._parts}
        lines = [_line({"part": name, "value": part}) for name, part in new.items()]
        n = self._came[scope, key]
        self._came[scope, key] += 1
        call = {"scope": scope, "key": key, "n": n, "request": request, **outcome}
        with self.path.open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            _cut_torn_line(file)  # of a process that was killed beside this one
            file.write(b"".join([*lines, _line({"call": call})]))
        self._parts.update(new)


class Replay:
    """Answers calls from a tape. Raises UserError for a file that is none, with the line."""

    def __init__(self, path: Path, same: Same | None = None) -> None:
        self.path = path
        self._same = same
        self._parts: dict[str, Any] = {}
        self._calls: dict[tuple[str, str, int], dict[str, Any]] = {}
        self._came: Counter[tuple[str, str]] = Counter()
        lines = _lines(path)
        _model_of(next(lines, {}), path)
        for line in lines:
            if "part" in line:
                self._parts[line["part"]] = line["value"]
            else:
                call = line["call"]
                self._calls[call["scope"], call["key"], call["n"]] = call

    def answer(self, scope: str, body: Mapping[str, Any]) -> Outcome:
        """What came of this call when it was recorded.

        Raises ModelError (kind not_on_tape) that names the first difference from the nearest one.
        """
        request, parts = _split(body, self._same)
        key = digest(request)
        n = self._came[scope, key]
        self._came[scope, key] += 1
        call = self._calls.get((scope, key, n))
        if call is None:
            told = self._difference(scope, request, parts, n)
            raise ModelError(f"{self.path}: this call is not on the tape: {told}", kind=KIND)
        return {name: call[name] for name in ("reply", "error") if name in call}

    def _difference(
        self, scope: str, request: Mapping[str, Any], parts: Mapping[str, Any], n: int
    ) -> str:
        if n:
            return f"the same request came {n + 1} times, more often than it was recorded"
        calls = [call["request"] for call in self._calls.values() if call["scope"] == scope]
        if not calls:
            return f"it has none of trial or prefix {scope}"
        nearest = max(calls, key=lambda recorded: _shared(recorded, request))
        then, now = _joined(nearest, self._parts), _joined(request, parts)
        return first_difference(then, now) or "no difference is left"


KIND = "not_on_tape"


def recorded_model(path: str) -> dict[str, Any]:
    """The configuration of the model on a tape. Raises UserError where the file is no tape."""
    return _model_of(next(_lines(Path(path).expanduser()), {}), path)


def first_difference(then: Any, now: Any, where: str = "") -> str | None:
    """Where two JSON values part, with both sides; None where they are the same."""
    if isinstance(then, dict) and isinstance(now, dict):
        for key in [*now, *(key for key in then if key not in now)]:
            place = f"{where}.{key}" if where else str(key)
            if told := first_difference(then.get(key), now.get(key), place):
                return told
        return None
    if isinstance(then, list) and isinstance(now, list):
        for number, (mine, theirs) in enumerate(zip(then, now, strict=False)):
            if told := first_difference(mine, theirs, f"{where}[{number}]"):
                return told
        same = len(then) == len(now)
        return None if same else f"{where} has {len(then)} entries on tape, {len(now)} now"
    if then == now:
        return None
    mine, theirs = str(then), str(now)
    at = _common(mine, theirs)
    start = max(0, at - SHOWN // 2)
    shown = [repr(text[start : start + SHOWN]) for text in (mine, theirs)]
    return f"{where} differs at character {at}: {shown[0]} on tape, {shown[1]} now"


def _split(body: Mapping[str, Any], same: Same | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """A request with the entries of its lists replaced by their digests, and these entries."""
    request, parts = dict(body), {}
    for name in LISTS:
        if isinstance(body.get(name), list):
            entries = [same(entry) for entry in body[name]] if same else body[name]
            names = [digest(entry)[:20] for entry in entries]
            parts.update(zip(names, entries, strict=True))
            request[name] = names
    return request, parts


def _joined(request: Mapping[str, Any], parts: Mapping[str, Any]) -> dict[str, Any]:
    lists = {name: [parts.get(n) for n in request[name]] for name in LISTS if name in request}
    return {**request, **lists}


def _shared(recorded: Mapping[str, Any], request: Mapping[str, Any]) -> int:
    """How many entries two requests have in common from their start."""
    names = ("messages", "input")
    return sum(_common(recorded.get(name) or [], request.get(name) or []) for name in names)


def _common(mine: Sequence[Any], theirs: Sequence[Any]) -> int:
    """How far two sequences are the same."""
    pairs = enumerate(zip(mine, theirs, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(mine), len(theirs)))


def _model_of(head: Mapping[str, Any], path: Path | str) -> dict[str, Any]:
    if head.get("tape") != VERSION or not isinstance(head.get("model"), dict):
        raise UserError(f"tape: {path} is no tape of this version (made by model.tape=FILE)")
    return head["model"]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.endswith(b"\n"):  # a torn last line was never finished
                    yield _decoded(line, path, number)
    except OSError as error:
        raise UserError(f"tape: {path} cannot be read: {error.strerror}") from None


def _decoded(line: bytes, path: Path, number: int) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except ValueError:
        data = None
    if not isinstance(data, dict) or not data.keys() & {"tape", "part", "call"}:
        raise UserError(f"{path}: line {number} is not of a tape")
    return data


def _line(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _cut_torn_line(file: Any) -> None:
    """A run that was killed while it wrote leaves half a line."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - 1))
    if file.read() in (b"", b"\n"):
        return
    file.seek(0)
    kept = 0
    for line in file:
        kept += len(line) if line.endswith(b"\n") else 0
    file.truncate(kept)
