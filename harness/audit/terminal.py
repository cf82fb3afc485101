"""The audit as lines for a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from harness.audit.rates import LITERAL, NOTED, Row, by_group, by_kind, by_measure, by_survival
from harness.audit.report import WORDS, FileRow, Result
from harness.audit.survival import COUNTED

LINES = 40
"""Lost facts, and files of one reason, that are listed; the page and the JSON have all."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")


def lines(result: Result) -> Iterator[str]:
    """The summary: what was read, every seam, what was lost by kind, what came after."""
    read, seams = result.read, result.seams
    files = f"{read} of {len(result.files)} files read"
    yield f"{files}, {len(result.sessions)} sessions, {_seams(seams)}"
    yield ""
    if seams:
        yield from _table(["seam", "agent", "trigger", "turn", *WORDS, "file"], _each(seams))
        yield ""
        yield from _table(["kind", "facts", *WORDS, "share kept"], _kinds(seams))
        yield ""
        heads = [
            "in the next responses",
            "yes in 3",
            "yes in 10",
            "maybe",
            "cannot be told",
            "share in 10",
        ]
        yield from _table(heads, _measures(seams))
        yield ""
        heads = ["agent", "seams", "sessions", "unreadable", "share kept", "with a sign"]
        yield from _table(heads, _agents(seams))
        yield NOTED
        yield ""
        yield from _table(["agent", "summaries", *COUNTED], _literal(seams))
        yield LITERAL
        yield ""
        yield from _lost(seams)
    yield from _files(result.files)


def plain(text: Any, width: int = 160) -> str:
    """One line fit for a terminal."""
    line = _CONTROL.sub(" ", " ".join(str(text).split()))
    return line if len(line) <= width else line[: width - 1] + "…"


def share(value: float | None, interval: Sequence[float] | None) -> str:
    """ "62 % [50, 73]", without what is not known."""
    if value is None:
        return "-"
    ends = f" [{100 * interval[0]:.0f}, {100 * interval[1]:.0f}]" if interval else ""
    return f"{100 * value:.0f} %{ends}"


def _seams(seams: Sequence[Row]) -> str:
    unread = sum(bool(seam["unread"]) for seam in seams)
    copies = sum(bool(seam["copy_of"]) for seam in seams)
    told = f"{len(seams)} compactions"
    told += f", {unread} with a summary that cannot be read" if unread else ""
    return told + (f", {copies} copies of others" if copies else "")


def _each(seams: Sequence[Row]) -> Iterator[list[str]]:
    for seam in seams:
        words = [str(sum(c[word] for c in seam["counts"].values())) for word in WORDS]
        yield [
            plain(seam["name"], 48),
            plain(seam["agent"], 20),
            seam["trigger"],
            str(seam["turn"]),
            *words,
            plain(Path(seam["file"]).name, 40),
        ]


def _kinds(seams: Sequence[Row]) -> Iterator[list[str]]:
    for row in by_kind(seams):
        words = [str(row[word]) for word in ("established", *WORDS)]
        yield [row["kind"], *words, share(row["share_kept"], row["interval"])]


def _measures(seams: Sequence[Row]) -> Iterator[list[str]]:
    for row in by_measure(seams):
        can = row["seams"] - row["cannot be told"]
        rate = row["yes within 10"] / can if can else None
        counts = [
            row[k] for k in ("yes within 3", "yes within 10", "maybe within 10", "cannot be told")
        ]
        yield [
            row["measure"].replace("_", " "),
            *map(str, counts),
            share(rate, row["interval within 10"]),
        ]


def _agents(seams: Sequence[Row]) -> Iterator[list[str]]:
    for row in by_group(seams, "agent"):
        counts = [str(row[k]) for k in ("seams", "sessions", "unreadable")]
        signs = f"{row['with a sign']} of {row['of']}"
        yield [plain(row["agent"], 24), *counts, share(row["share_kept"], row["interval"]), signs]


def _literal(seams: Sequence[Row]) -> Iterator[list[str]]:
    for row in by_survival(seams):
        yield [plain(row["agent"], 24), str(row["seams"]), *(of(*row[name]) for name in COUNTED)]


def of(found: int, size: int) -> str:
    """ "3 of 4 (75 %)", or a dash where there is none."""
    return f"{found} of {size} ({100 * found / size:.0f} %)" if size else "-"


def _lost(seams: Sequence[Row]) -> Iterator[str]:
    """What people said that is gone comes first."""
    lost = [(s, f) for s in seams for f in s["facts"] if f["verdict"] == "lost"]
    lost.sort(key=lambda pair: (pair[1]["by"] != "user", pair[1]["kind"] in ("done", "path")))
    for seam, fact in lost[:LINES]:
        place = f"line {fact['line']}" if fact["line"] else "place not found"
        text = plain(fact["sentence"] or fact["text"])
        where = f"{fact['kind']} ({fact['by'] or '?'}, {place})"
        yield f"lost  {plain(seam['name'], 48)}  {where}: {text}"
    if len(lost) > LINES:
        yield f"and {len(lost) - LINES} more facts lost: --html or --json has them"
    if lost:
        yield ""


def _files(files: Sequence[FileRow]) -> Iterator[str]:
    refused: dict[str, list[str]] = {}
    for row in files:
        if row.reason:
            refused.setdefault(row.reason, []).append(row.path)
    for reason, paths in refused.items():
        yield from (f"not read: {plain(path, 200)}: {reason}" for path in paths[:LINES])
        if len(paths) > LINES:
            yield f"not read: {len(paths) - LINES} more files: {reason}"
    for row in files:
        yield from (f"note: {plain(row.path, 200)}: {plain(note, 200)}" for note in row.notes)
        yield from (f"damaged: {plain(row.path, 200)}: {plain(one, 200)}" for one in row.damage)
        if row.damaged > len(row.damage):
            yield f"damaged: {plain(row.path, 200)}: {row.damaged - len(row.damage)} more records"
        if row.skipped:
            kinds = ", ".join(
                f"{plain(kind, 40)} {n}" for kind, n in sorted(row.skipped.items())[:12]
            )
            yield f"passed over: {plain(row.path, 200)}: records of other types: {kinds}"


def _table(heads: Sequence[str], rows: Iterator[list[str]]) -> Iterator[str]:
    listed = [list(heads), *rows]
    widths = [max(map(_width, column)) for column in zip(*listed, strict=True)]
    for row in listed:
        cells = [cell + " " * (w - _width(cell)) for cell, w in zip(row, widths, strict=True)]
        yield "  ".join(cells).rstrip()


def _width(text: str) -> int:
    """Columns on a terminal: Chinese characters take two."""
    return sum(2 if "\u1100" <= c <= "\uffdc" else 1 for c in text)
