"""What is to be seen of a trial around its seam, for the seam viewer of a report.

Plain data (JSON), read from the stored transcripts. Long texts are cut, and say how much was left
out: the report holds all trials of a run in one file.
"""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from harness.errors import UserError
from harness.scorer import questions
from harness.store import RunFolder, scan
from harness.text import content_text
from harness.transcript import Event, Turn, from_ranges, read_events, read_turns
from harness.types import Record, Status

SAID = 1500
RESULT = 400
COMMAND = 600
DIFF_LINES = 60
CARRIED = 20000
"""Limits of what is shown: characters, and lines of a diff."""


NEEDED = ("trial_id", "status", "prefix_hash", "task_hash", "seam", "windows")


class Seams:
    """The seams of a run's trials, each read from its transcript when it is asked for."""

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder
        self._says: dict[str, dict[str, str]] = {}
        self._manifests: dict[str, dict[str, str] | None] = {}

    def __call__(self, record: Mapping[str, Any]) -> dict[str, Any] | None:
        """The seam of a record (of its fields, NEEDED): None where it was not scored or no
        transcript is stored.

        says: fact or sub-goal id -> its text. kept: messages of the history still in the first
        view. carried, injected: [role, text] of what the strategy put into the first view. turns:
        number, phase, say, asks, calls [tool, what, ok, result], files [path, unified diff].
        """
        if record["status"] != Status.SCORED:
            return None
        folder = self._folder
        path = folder.trial(record["trial_id"]) / "events.jsonl"
        manifest = self._manifest(str(record["prefix_hash"]))
        if not path.is_file() or manifest is None:
            return None
        task = record["task_hash"]
        if task not in self._says:
            self._says[task] = _says(folder.task(task))
        files = {name: folder.blobs.text(sha) for name, sha in manifest.items()}
        last = max(record["windows"]["registered"]["turns"], default=None)
        events = read_events(path, until=last)
        turns = read_turns(events) if last is not None else []
        detail = _detail(record, events, turns, files, folder.blobs.text)
        return {"says": self._says[task], **detail}

    def _manifest(self, prefix_hash: str) -> dict[str, str] | None:
        """Path -> SHA-256 of the files at a prefix's seam, read once for all its trials."""
        if prefix_hash not in self._manifests:
            path = self._folder.prefix(prefix_hash) / "seam.json"
            found = None
            if path.is_file():
                given = json.loads(path.read_text(encoding="utf-8"))["manifest"]
                found = {sys.intern(name): sys.intern(sha) for name, sha in given.items()}
            self._manifests[prefix_hash] = found
        return self._manifests[prefix_hash]


def seam_details(folder: RunFolder) -> dict[str, dict[str, Any]]:
    """Trial id -> its seam, for every scored trial whose transcript is stored."""
    seams = Seams(folder)
    found = ((record["trial_id"], seams(record)) for record in _newest(folder))
    return {trial_id: seam for trial_id, seam in found if seam is not None}


def _newest(folder: RunFolder) -> list[Record]:
    """Of every trial's newest record what is needed here; most of a record is not."""
    newest: dict[str, Record] = {}
    for _, record in scan(folder.records_path):
        newest[record["trial_id"]] = {name: record.get(name) for name in NEEDED}  # type: ignore
    return list(newest.values())


def _says(path: Path) -> dict[str, str]:
    try:
        task = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from None
    return {part["id"]: part["says"] for part in (*task["facts"], *task["subgoals"])}


def _detail(
    record: Mapping[str, Any],
    events: Sequence[Event],
    turns: Sequence[Turn],
    files: dict[str, str],
    text: Callable[[str], str],
) -> dict[str, Any]:
    seams = [event for event in events if event["type"] == "compaction"]
    index = (record["seam"] or {}).get("index") or 1
    compaction = seams[min(index, len(seams)) - 1]
    own = {e["n"]: e["message"] for e in events if e["type"] == "message"}
    view = from_ranges(compaction["view"])
    return {
        "noop": compaction["noop"],
        "kept": sum(number not in own for number in view),
        "carried": [_message(own[number]) for number in view if number in own],
        "injected": [_message(own[n]) for n in _injected(events, compaction) if n in own],
        "turns": list(_turns(turns, compaction["turn"], files, text)),
    }


def _injected(events: Sequence[Event], compaction: Event) -> list[int]:
    """Numbers that the first turn's view holds beside the compacted one."""
    shown = [e for e in events if e["type"] == "view" and e["turn"] == compaction["turn"]]
    base = set(from_ranges(compaction["view"]))
    return [n for n in from_ranges(shown[-1]["view"]) if n not in base] if shown else []


def _message(message: dict[str, Any]) -> list[str]:
    return [message["role"], cut(content_text(message), CARRIED)]


def _turns(
    turns: Sequence[Turn], first: int, files: dict[str, str], text: Callable[[str], str]
) -> Iterator[dict[str, Any]]:
    """The turns from `first` on; earlier ones only bring `files` up to date."""
    for turn in turns:
        changed = []
        for path, sha in turn.files.items():
            after = text(sha) if sha else ""
            if turn.number >= first:
                changed.append([path, diff(files.get(path, ""), after)])
            files[path] = after
        if turn.number >= first:
            yield {
                "n": turn.number,
                "phase": turn.phase,
                "say": cut(turn.say, SAID),
                "asks": [cut(question, SAID) for question in questions(turn)],
                "calls": [_call(call.tool, call.args, call.ok, call.result) for call in turn.calls],
                "files": changed,
            }


def _call(tool: str, args: dict[str, Any], ok: bool, result: str) -> list[Any]:
    """Tool, what it was called with, whether it worked, what came back."""
    told = args.get("command") or args.get("path") or args.get("question") or ""
    if tool == "update_plan":
        items = args.get("items") or []
        told = "\n".join(f"{item.get('status')}: {item.get('text')}" for item in items)
    return [tool, cut(str(told), COMMAND), ok, cut(result, RESULT)]


def diff(before: str, after: str) -> str:
    """Changed lines with one line of context each side, cut."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=1)
    shown = [line for line in lines if not line.startswith(("---", "+++"))]
    more = len(shown) - DIFF_LINES
    rest = [f"... {more} lines left out"] if more > 0 else []
    return "\n".join([*(cut(line, 300) for line in shown[:DIFF_LINES]), *rest])


def cut(text: str, limit: int) -> str:
    """`text`, or its first `limit` characters and how many were left out."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}\n... {len(text) - limit} characters left out"
