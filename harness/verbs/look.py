"""Verbs that look at what is stored: verify, score, show, extract."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from harness import verified
from harness.config import project_folder
from harness.errors import UserError
from harness.measures import score
from harness.rubric import Rubric
from harness.store import RunFolder
from harness.types import Record, Status
from harness.verbs.common import rubric_of, run_folder, say, stored_trial, warn

SCORED_FIELDS = (
    "continued",
    "continued_strict",
    "windows",
    "facts",
    "first_response",
    "plan_kept",
    "turns_to_resume",
    "turns_followed",
    "tokens_reread",
    "completed",
)


def verify(path: str) -> int:
    """Score every stored transcript again and compare; names each trial that differs.

    The outcome is kept for reports of these very records.
    """
    folder = run_folder(path)
    rubric, digest = rubric_of(folder), verified.digest_of(folder)
    records = [r for r in folder.records() if r["status"] == Status.SCORED]
    differing = []
    for record in records:
        fields = differing_fields(folder, record, rubric)
        if fields:
            differing.append(record["trial_id"])
            say(f"differs: trial {record['trial_id']} ({record['task']} {record['arm']}): {fields}")
    say(f"{len(records)} scored records verified, {len(differing)} differ")
    try:
        verified.note(folder, digest, len(records), differing)
    except OSError as error:
        warn(f"{folder.root}: {error.strerror}; reports will not know of this")
    return 1 if differing else 0


def differing_fields(folder: RunFolder, record: Record, rubric: Rubric) -> str:
    """Names of the scored fields that a new score does not confirm, joined; "" for none."""
    again = json.loads(json.dumps(score(stored_trial(folder, record), rubric)))
    return ", ".join(name for name in SCORED_FIELDS if again[name] != record.get(name))


def score_run(path: str) -> int:
    """Print the verdict of every scored trial, from its stored transcript."""
    folder = run_folder(path)
    rubric = rubric_of(folder)
    for record in folder.records():
        if record["status"] != Status.SCORED:
            told = f"{record['trial_id']} {record['status']:9} {record['reason'] or ''}"
            say(told.rstrip())
            continue
        result = score(stored_trial(folder, record), rubric)
        word = "continued" if result["continued"] else "lost"
        modes = ", ".join(result["windows"]["registered"]["failure_modes"])
        say(f"{record['trial_id']} {word:9} {record['task']} {record['arm']} {modes}")
    return 0


def show(trial: str, runs: str | None) -> int:
    """One trial around its seam."""
    from harness.show import show_trial

    results = project_folder() / "results"
    folders = [run_folder(runs)] if runs else [RunFolder(p) for p in sorted(results.glob("*"))]
    for folder in folders:
        for record in folder.find(trial):
            if record["status"] == Status.SCORED:
                say(show_trial(record, stored_trial(folder, record)))
                return 0
    raise UserError(f"no scored trial {trial!r} in {runs or results}")


def extract_file(path: str) -> int:
    """One JSON line per conversation of a JSON Lines file: {id, state}."""
    from dataclasses import asdict

    from harness.extract import extract

    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read as UTF-8 text: {error}") from None
    for number, line in enumerate(lines, 1):
        try:
            data: dict[str, Any] = json.loads(line)
            messages = data["messages"]
        except (ValueError, KeyError, TypeError):
            raise UserError(f"{path}: line {number}: expected {{id, messages}}") from None
        state = asdict(extract(messages))
        for kind in ("naming", "open", "done", "environment", "decisions"):
            state[kind] = [{"text": text} for text in state[kind]]
        say(json.dumps({"id": data.get("id"), "state": state}, ensure_ascii=False))
    return 0


def reference(path: str, *, pack: bool) -> int:
    """Compare a run with the committed results of its name, or put it in their place."""
    from harness import reference as kept

    folder, target = run_folder(path), project_folder() / "results" / "reference"
    if pack:
        say(f"packed: {target / folder.name}, digest {kept.pack(folder, target)}")
        return 0
    found = kept.compare(folder, target)
    for line in found[:5]:
        say(f"differs: {line}")
    told = f"{len(found)} differences" if found else "the same"
    say(f"{folder.name} against results/reference/{folder.name}, times aside: {told}")
    return 1 if found else 0
