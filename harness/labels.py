"""Established facts to be labelled by reading what was shown after the seam, and the labels.

The sheet is two files: SHEET.jsonl, one fact a line, to be labelled; and SHEET.md with the views to
read. Neither says what the patterns of the fixtures found, nor shows them.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.seams import seam_details
from harness.store import RunFolder, write_atomic
from harness.text import digest

LABELS = ("kept", "changed", "lost")
Fact = dict[str, Any]
"""trial_id, arm, task, kind, fact (its id), says, label, why."""


def draw_facts(folder: RunFolder, count: int, seed: int, sheet: Path) -> int:
    """Write a sheet of `count` facts; how many were drawn.

    From every arm and kind by their share of all facts (arms that forked from the same prefixes
    have as many each), so that shares of an arm's labels are shares of its facts. The draw depends
    on the records and the seed alone. Raises UserError where nothing can be drawn, or the
    sheet exists.
    """
    if sheet.exists():
        raise UserError(f"{sheet}: exists; labels are never overwritten, name another file")
    details = seam_details(folder)
    by_arm: dict[str, list[Fact]] = defaultdict(list)
    for record in sorted(folder.records(), key=lambda r: r["trial_id"]):
        if detail := details.get(record["trial_id"]):
            same = {"trial_id": record["trial_id"], "arm": record["arm"], "task": record["task"]}
            for fact in record["facts"]:
                said = {
                    "kind": fact["kind"],
                    "fact": fact["id"],
                    "says": detail["says"][fact["id"]],
                }
                by_arm[record["arm"]].append({**same, **said, "label": "", "why": ""})
    if not by_arm:
        raise UserError(f"{folder.root}: no scored trial with a stored transcript")
    shares = _shares({arm: len(facts) for arm, facts in by_arm.items()}, count)
    chosen = [f for arm in sorted(by_arm) for f in _by_kind(by_arm[arm], shares[arm], seed)]
    # By trial, so that a view is read once; the order of trials says nothing of their arms.
    chosen.sort(key=lambda f: (digest(["read", seed, f["trial_id"]]), f["fact"]))
    sheet.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(sheet.with_suffix(".md"), _reading(chosen, details).encode("utf-8"))
    lines = [json.dumps(fact, ensure_ascii=False) + "\n" for fact in chosen]
    write_atomic(sheet, "".join(lines).encode("utf-8"))
    return len(chosen)


def read_labels(path: Path) -> list[Fact]:
    """The labelled facts of a sheet; those without a label are left out.

    Raises UserError, with the line, for a label that is none.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: cannot be read: {error}") from None
    found = []
    for number, line in enumerate(lines, 1):
        try:
            fact = json.loads(line)
            label = fact["label"].strip().lower()
            known = {name: str(fact[name]) for name in ("trial_id", "fact", "kind", "arm")}
        except (ValueError, KeyError, TypeError, AttributeError):
            raise UserError(f"{path}: line {number} is not a line of detector-sample") from None
        if label and label not in LABELS:
            told = f"expected {', '.join(LABELS)} or nothing"
            raise UserError(f"{path}: line {number}: label {label!r}; {told}")
        if label:
            found.append({**known, "label": label})
    if not found:
        raise UserError(f"{path}: nothing is labelled yet; write {', '.join(LABELS)} in `label`")
    return found


def _by_kind(facts: Sequence[Fact], count: int, seed: int) -> list[Fact]:
    groups: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        groups[fact["kind"]].append(fact)
    shares = _shares({kind: len(group) for kind, group in groups.items()}, count)
    draw = random.Random(digest(["facts", seed, facts[0]["arm"]]))
    return [f for kind in sorted(groups) for f in draw.sample(groups[kind], shares[kind])]


def _shares(sizes: Mapping[str, int], count: int) -> dict[str, int]:
    """`count`, or all there is, shared out by size: largest remainders."""
    total = sum(sizes.values())
    count = min(count, total)
    exact = {name: count * size / total for name, size in sizes.items()}
    shares = {name: int(share) for name, share in exact.items()}
    by_rest = sorted(sizes, key=lambda name: (shares[name] - exact[name], name))
    for name in by_rest[: count - sum(shares.values())]:
        shares[name] += 1
    return shares


def _reading(facts: Sequence[Fact], details: Mapping[str, Mapping[str, Any]]) -> str:
    """What is to be read: per trial its first view after the seam, then its facts."""
    out, trial = [], None
    for number, fact in enumerate(facts, 1):
        if fact["trial_id"] != trial:
            trial = fact["trial_id"]
            shown = [*details[trial]["carried"], *details[trial]["injected"]]
            text = "\n\n".join(text for role, text in shown if role != "system")
            out.append(f"# {trial}\n\n{text}\n\n## Facts\n")
        out.append(f"{number}. ({fact['kind']}) {' '.join(fact['says'].split())}")
    return "\n".join(out) + "\n"
