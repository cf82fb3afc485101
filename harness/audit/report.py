"""Judged seams as plain rows: what is written as JSON Lines and drawn on the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from harness.audit.behaviour import LONG, SHORT, Measure
from harness.audit.facts import KINDS, Fact
from harness.audit.kept import Verdict
from harness.audit.seams import Course, Seam, audit
from harness.audit.survival import survival
from harness.readers import NotRead, find_files, open_source, reader_of
from harness.readers.base import Said
from harness.text import content_text

WORDS = ("kept", "lost", "unclear", "unread")
"""Verdicts on a fact, in report order."""
SHOWN = 60
"""Messages of a view that a row quotes, the newest."""
QUOTE = 1_500
SUMMARY = 40_000


@dataclass
class FileRow:
    """What became of a file. reason: why it was not read, "" where it was."""

    path: str
    format: str = ""
    reason: str = ""
    records: int = 0
    sessions: int = 0
    seams: int = 0
    damaged: int = 0
    damage: list[str] = field(default_factory=list)
    skipped: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@dataclass
class Result:
    """Everything that an audit found, as rows of plain values."""

    files: list[FileRow] = field(default_factory=list)
    sessions: list[dict[str, Any]] = field(default_factory=list)
    seams: list[dict[str, Any]] = field(default_factory=list)

    @property
    def read(self) -> int:
        return sum(not row.reason for row in self.files)

    def rows(self) -> Iterator[dict[str, Any]]:
        """One JSON object a line: files, sessions, seams."""
        for row in self.files:
            yield {"type": "file", **asdict(row)}
        for session in self.sessions:
            yield {"type": "session", **session}
        for seam in self.seams:
            yield {"type": "seam", **seam}


def audit_paths(paths: Sequence[str]) -> Result:
    """Read every file under the paths. Raises UserError for a path that does not exist."""
    result = Result()
    first: dict[str, str] = {}
    for path, parts in find_files(paths):
        row = FileRow(str(path))
        result.files.append(row)
        for course in audit_file(path, parts, row):
            row.sessions += 1
            row.seams += len(course.seams)
            for seam in course.seams:
                if seam.mark.key:
                    known = first.setdefault(seam.mark.key, seam.name)
                    seam.copy_of = known if known != seam.name else ""
            result.sessions.append(session_row(course))
            result.seams += [seam_row(seam) for seam in course.seams]
    return result


def audit_file(path: Path, parts: tuple[Path, ...], row: FileRow) -> Iterator[Course]:
    """The sessions of one file; what is wrong with the file goes into its row."""
    try:
        source = open_source(path, parts)
        reader = reader_of(source)
        row.format = reader.name
        yield from audit(reader.items(), str(path))
    except NotRead as error:
        row.reason = str(error)
        return
    except OSError as error:
        row.reason = f"cannot be read: {error.strerror or type(error).__name__}"
        return
    row.records, row.damaged = source.read, source.damaged_count
    row.damage = [f"line {number}: {why}" for number, why in source.damage]
    row.skipped, row.notes = dict(source.skipped), source.notes
    if not row.records:
        row.reason = "no record of it can be read"


def session_row(course: Course) -> dict[str, Any]:
    return {
        **asdict(course.session),
        "file": course.file,
        "turns": course.turns,
        "messages": course.messages,
        "user_messages": course.users,
        "usage": asdict(course.usage),
        "user_turns": course.moments,
        "seams": [seam.mark.turn for seam in course.seams],
    }


def seam_row(seam: Seam) -> dict[str, Any]:
    """All about a seam; texts are clipped."""
    mark = seam.mark
    counts = {kind: Counter(v.word for f, v in seam.facts if f.kind == kind) for kind in KINDS}
    return {
        "name": seam.name,
        "session": seam.session.id,
        "agent": seam.session.agent,
        "version": seam.session.version,
        "model": seam.session.model,
        "format": seam.session.format,
        "file": seam.file,
        "seam": mark.number,
        "turn": mark.turn,
        "line": mark.line,
        "time": mark.time,
        "trigger": mark.trigger,
        "unread": mark.unread,
        "copy_of": seam.copy_of,
        "notes": seam.notes,
        "tokens_before": mark.tokens_before,
        "tokens_after": mark.tokens_after,
        "messages_before": len(mark.before),
        "messages_after": None if mark.after is None else len(mark.after),
        "turns_after": seam.turns_after,
        "gone_before": seam.gone,
        "counts": {kind: {word: c[word] for word in WORDS} for kind, c in counts.items()},
        "facts": [fact_row(fact, verdict) for fact, verdict in seam.facts],
        "behaviour": {name: measure_row(m) for name, m in seam.measures.items()},
        "survival": survival(mark, seam.session.cwd),
        "before": quotes(mark.before),
        "after": quotes(mark.after or ()),
        "summary": mark.summary[:SUMMARY],
    }


def fact_row(fact: Fact, verdict: Verdict) -> dict[str, Any]:
    said = fact.said
    return {
        "kind": fact.kind,
        "text": fact.text,
        "note": fact.note,
        "verdict": verdict.word,
        "why": verdict.why,
        "by": fact.by,
        "turn": said.turn if said else None,
        "line": said.line if said else None,
        "sentence": fact.sentence,
        "found": verdict.found,
    }


def measure_row(measure: Measure) -> dict[str, Any]:
    return {
        "cannot": measure.cannot,
        f"within_{SHORT}": measure.verdict(SHORT),
        f"within_{LONG}": measure.verdict(LONG),
        "findings": [asdict(finding) for finding in measure.findings],
    }


def quotes(said: Sequence[Said]) -> list[dict[str, Any]]:
    """The newest messages of a view, without tool output, each clipped."""
    spoken = [s for s in said if s.role != "tool" and content_text(s.message).strip()]
    return [
        {
            "role": "user" if s.human else "agent" if s.role == "assistant" else "program",
            "turn": s.turn,
            "text": content_text(s.message)[:QUOTE],
        }
        for s in spoken[-SHOWN:]
    ]
