"""What of a history stands in the summary that replaced it, letter by letter.

Four counts that need no judgement, so that summaries of any program can be laid side by side. A
name or a command in other words is not found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from harness.audit.actions import actions
from harness.readers.base import Mark
from harness.text import content_text

COUNTED = ("edited names", "read-only names", "commands", "short messages")
"""Names of the counts, in report order."""
SHORT_TEXT = 200
"""Characters up to which a message of the user is short."""

Counts = Mapping[str, tuple[int, int]]
"""Name of a count -> (found in the summary, of so many that differ)."""


def survival(mark: Mark, cwd: str = "") -> Counts | None:
    """The counts of a seam; None where there is no history or no summary that can be read.

    Names are those of files that a tool edited, or only read, without their folders; what was read
    with a shell command counts as a command. Edits and reads that failed do not count.
    """
    if mark.unread or not mark.before or not mark.summary.strip():
        return None
    called = actions(mark.before, cwd)
    done = [action for action in called if not action.failed]
    edited = _names(path for action in done if action.kind == "edit" for path in action.paths)
    read = _names(path for action in done if action.kind == "read" for path in action.paths)
    commands = {_flat(action.command) for action in called if action.kind == "run"}
    said = {_flat(content_text(one.message)) for one in mark.before if one.human}
    summary = _flat(mark.summary)
    named = [sum(_names_file(summary, name) for name in names) for names in (edited, read - edited)]
    texts = [commands - {""}, {text for text in said if 0 < len(text) <= SHORT_TEXT}]
    found = [sum(text in summary for text in some) for some in texts]
    sizes = [len(edited), len(read - edited), *map(len, texts)]
    return dict(zip(COUNTED, zip([*named, *found], sizes, strict=True), strict=True))


def added(counts: Sequence[Counts]) -> Counts:
    """The sums over many seams."""
    return {name: (_sum(counts, name, 0), _sum(counts, name, 1)) for name in COUNTED}


def _sum(counts: Sequence[Counts], name: str, place: int) -> int:
    return sum(one[name][place] for one in counts)


def _names(paths: Iterable[str]) -> set[str]:
    return {name for path in paths if (name := re.split(r"[/\\]", path.rstrip("/\\"))[-1])}


def _names_file(text: str, name: str) -> bool:
    """ASCII letters around it make another name; Chinese ones do not."""
    return bool(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text, re.ASCII))


def _flat(text: str) -> str:
    return " ".join(text.split())
