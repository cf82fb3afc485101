"""Verbs for people who judge trials: audit-sample, audit-score."""

from __future__ import annotations

import json
from pathlib import Path

from harness.store import write_atomic
from harness.verbs.common import run_folder, say


def audit_sample(run: str, count: int, out: str) -> int:
    """Write a blinded sheet of trials to judge."""
    from harness.blind import draw_sample, key_path

    sheet = Path(out)
    drawn = draw_sample(run_folder(run), count, sheet)
    say(f"{drawn} trials to judge: {sheet}")
    say(f"which trial is which, not to be looked at before: {key_path(sheet)}")
    say(f"when it is filled in: seambench audit-score {sheet}")
    return 0


def audit_score(path: str) -> int:
    """Agreement of the code with a filled sheet, and the scorer's error rates as a file."""
    from analysis.agreement import agreement
    from harness.blind import read_judgements

    sheet = Path(path)
    table, rates = agreement(read_judgements(sheet))
    target = sheet.with_suffix(".rates.json")
    write_atomic(target, json.dumps(rates, indent=1).encode("utf-8"))
    say(table.to_text())
    say(f"error rates: {target}; use them with seambench report RUN --rates {target}")
    return 0
