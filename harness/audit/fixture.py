"""A found seam as the skeleton of a task: what the session gives is filled in, the rest is <...>.

Evidence, checks and steps are judgements, and stay a person's work.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from harness.audit.redact import redact
from harness.audit.report import FileRow, audit_file
from harness.audit.seams import Course, Seam
from harness.errors import UserError
from harness.readers import find_files
from harness.skeleton import new_task
from harness.text import content_text, is_chinese, nearest

REMARKS = 12
FACTS = 12
"""Remarks and facts that are written out; a task with more is hard to check by hand."""

_KINDS = ("constraint", "path", "naming", "decision", "environment")
_README = """\
The codebase as it was at the seam belongs here, instead of this file.
"""


def write_fixture(
    paths: Sequence[str], name: str, place: Path, source: str | None, *, hide: bool
) -> Path:
    """Write `<place>/bugfix/<session>_<seam>/` for the seam called SESSION#SEAM.

    hide: without home folders, mail addresses and keys. Raises UserError for a seam that is not
    found, or found twice.
    """
    course, seam = find_seam(paths, name)
    with tempfile.TemporaryDirectory() as empty:
        name = Path(course.session.cwd.replace("\\", "/")).name or "codebase"
        code = Path(source) if source else Path(empty) / name
        if not source:
            code.mkdir()
            (code / "README.md").write_text(_README, encoding="utf-8")
        folder = (
            re.sub(r"\W+", "_", f"{course.session.id[:24]}_{seam.mark.number}").strip("_").lower()
        )
        root = new_task("bugfix", folder, code, place, full=False)
    path = root / "task.yaml"
    text = _filled(path.read_text(encoding="utf-8"), seam)
    path.write_text(redact(text) if hide else text, encoding="utf-8")
    return root


def find_seam(paths: Sequence[str], name: str) -> tuple[Course, Seam]:
    """The seam SESSION#SEAM under the paths; SESSION is a session's id or its beginning."""
    session, _, number = name.rpartition("#")
    if not session or not number.isdigit():
        raise UserError(f"--to-fixture: expected SESSION#SEAM, e.g. 019f03e0#1, found {name!r}")
    found, names = [], []
    for path, parts in find_files(paths):
        for course in audit_file(path, parts, FileRow(str(path))):
            names += [seam.name for seam in course.seams]
            if course.session.id.startswith(session):
                found += [(course, s) for s in course.seams if s.mark.number == int(number)]
    if not found:
        raise UserError(
            f"--to-fixture: no seam {name!r}; nearest: {nearest(name, names) or 'none'}"
        )
    if len(found) > 1:
        files = ", ".join(sorted({seam.file for _, seam in found}))
        raise UserError(f"--to-fixture: {name!r} is {len(found)} seams, in {files}; give one file")
    return found[0]


def _filled(text: str, seam: Seam) -> str:
    """The skeleton with its request, remarks, facts and files replaced by the session's."""
    spoken = [s for s in seam.mark.before if s.human]
    said = [content_text(s.message).strip() for s in spoken]
    request = {"text": said[0] if said else "<What the user asks first.>"}
    language = "zh" if is_chinese("\n".join(said)) else "en"
    text = re.sub(r"^language: en", f"language: {language}", text, flags=re.MULTILINE)
    text = _part(text, r"  text: \|\n(?:    .*\n)+", _yaml(request, 2))
    remarks = [
        {"id": f"remark_{n}", "turn": s.turn, "text": content_text(s.message).strip()}
        for n, s in enumerate(spoken[1 : REMARKS + 1], 1)
    ]
    if remarks:
        text = _part(text, r"  - \{id: by_the_way.*\n", _yaml(remarks, 2))
    facts = _facts(seam, {id(s): r["id"] for s, r in zip(spoken[1:], remarks, strict=False)})
    if facts:
        text = _part(text, r"  - id: <rule>\n(?:    .*\n)+", facts)
    changed = [f.text for f, _ in seam.facts if f.kind == "path" and f.note != "read_only"]
    if changed:
        text = _part(text, r"  editable: .*\n", _yaml({"editable": changed}, 2))
    return f"# From seam {seam.name} of a {seam.session.agent} session.\n{text}"


def _facts(seam: Seam, remarks: dict[int, str]) -> str:
    """The facts that are lost first; of each what it says and where, the rest to be written."""
    kept = [(f, v) for f, v in seam.facts if f.kind in _KINDS and f.said and f.said.human]
    kept.sort(key=lambda pair: pair[1].word == "kept")
    blocks = []
    for number, (fact, verdict) in enumerate(kept[:FACTS], 1):
        head = {
            "id": f"fact_{number}",
            "kind": fact.kind,
            "says": fact.text,
            "stated_in": remarks.get(id(fact.said), "request"),
        }
        blocks.append(f"  # {verdict.word} at the seam\n" + _yaml([head], 2) + _BLANKS)
    return "".join(blocks)


_BLANKS = """\
    evidence: ["<word>", "(never|no|not)"]   # all in ONE sentence; nothing else may match
    check:
      when: {adds: "<pattern>", in: "**/*.py"}
      then: {not: {adds: "<pattern>", in: "**/*.py"}}
"""


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as such."""


def _text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    plain = "\n".join(line.rstrip() for line in text.replace("\t", "    ").split("\n"))
    style = "|" if "\n" in plain else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", plain, style=style)


_Dumper.add_representer(str, _text)


def _yaml(value: Any, indent: int) -> str:
    text = yaml.dump(value, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=96)
    return "".join(" " * indent + line + "\n" for line in text.splitlines())


def _part(text: str, pattern: str, new: str) -> str:
    return re.sub(pattern, lambda _: new, text, count=1)
