"""Verbs for people who judge trials: audit-sample, audit-score; and what the strays tell."""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from harness.config import config_folder, project_folder
from harness.rubric import load_rubric
from harness.store import write_atomic
from harness.types import ITEMS
from harness.verbs.common import run_folder, say

KINDS = ("true_pass", "false_pass", "true_fail", "false_fail")


def audit_sample(run: str, count: int, out: str) -> int:
    """Write a blinded sheet of trials to judge."""
    from harness.blind import draw_sample, key_path, page_path

    sheet = Path(out)
    drawn = draw_sample(run_folder(run), count, sheet)
    say(f"{drawn} trials to judge: {sheet}, or {page_path(sheet)} in a browser")
    say(f"which trial is which, not to be looked at before: {key_path(sheet)}")
    say(f"when it is filled in: seambench audit-score {sheet}")
    return 0


def audit_score(paths: Sequence[str], key: str | None) -> int:
    """Agreement of the code with filled sheets, and the scorer's error rates as a file.

    Several sheets are of several judges over the same cases; key: the file of audit-sample, where
    it does not lie beside the first sheet.
    """
    from analysis.agreement import agreement
    from harness.blind import key_path, read_judgements

    sheets = [Path(path) for path in paths]
    key_file = Path(key) if key else key_path(sheets[0])
    rows = [row for sheet in sheets for row in read_judgements(sheet, key_file)]
    table, rates = agreement(rows)
    target = sheets[0].with_suffix(".rates.json")
    write_atomic(target, json.dumps(rates, indent=1).encode("utf-8"))
    say(table.to_text())
    say(f"error rates: {target}; use them with seambench report RUN --rates {target}")
    return 0


def stray_rates() -> dict[str, dict[str, int]]:
    """Error counts of the scorer over the strays, per verdict, as audit-score counts them.

    Strays are continuations that no fixture anticipates, with the verdict of a careful person
    (tests/strays): harder cases than those of a run.
    """
    from harness.admission.strays import judge_stray, read_strays
    from harness.blind import JUDGED
    from harness.tasks import find_tasks, load_task

    roots = find_tasks([project_folder() / "tasks"])
    rubric = load_rubric(config_folder() / "rubric" / "continuity_v1.yaml")
    load = functools.cache(load_task)
    found: dict[str, Counter[str]] = {name: Counter() for name in JUDGED}
    for stray in read_strays(project_folder() / "tests" / "strays"):
        judged = judge_stray(stray, load(roots[stray["task"]]), rubric)
        sides = [{i: i not in failed for i in ITEMS} for failed in (judged.expected, judged.found)]
        for name, counts in found.items():
            person, code = (s.get(name, rubric.continued(s)) for s in sides)
            counts[f"{'true' if person == code else 'false'}_{'pass' if code else 'fail'}"] += 1
    return {name: {kind: counts[kind] for kind in KINDS} for name, counts in found.items()}
