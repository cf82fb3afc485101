"""Verbs for who judges trials: audit-sample, audit-judge, audit-score; and what strays tell."""

from __future__ import annotations

import asyncio
import functools
import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from harness.config import config_folder, project_folder
from harness.errors import UserError
from harness.rubric import load_rubric
from harness.settings import Config
from harness.store import write_atomic
from harness.types import ITEMS
from harness.verbs.common import run_folder, say, warn

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


def audit_judge(path: str, overrides: Sequence[str], out: str | None) -> int:
    """Let a model fill a sheet; the answers are a sheet of one more judge."""
    from harness.config import load_config
    from harness.local_model import pinned, serving

    config = load_config(overrides)[0]
    if config.model.kind == "worker":
        raise UserError(
            "audit-judge: the reference worker judges nothing; name a model, e.g. model=openai "
            "model.name=..."
        )
    sheet, config = Path(path), pinned(config)
    name = re.sub(r"[^\w.-]+", "-", str(config.model.name))
    target = Path(out) if out else sheet.with_name(f"{sheet.stem}--{name}.csv")
    with serving(config, warn) as served:
        asyncio.run(_judge(served, sheet, target))
    say(f"with a person's sheet beside it: seambench audit-score {sheet} {target}")
    say(f"alone: seambench audit-score {target} --key {sheet.with_suffix('.key.json')}")
    return 0


async def _judge(config: Config, sheet: Path, target: Path) -> None:
    from harness.build import NOBODY, model_spec, tape_of
    from harness.judge import Judging
    from harness.model import Model, cost

    spec = model_spec(config.model, str(config.model.base_url or NOBODY))
    model = Model(spec, tape=tape_of(config.model))
    judging = Judging(model, str(config.model.name), target)
    try:
        before, now = await judging.judge(sheet, config.run.concurrency)
        say(f"{target}: {now} cases, {before} of them from before, {len(judging.blank)} left blank")
    finally:
        await model.close()
        for case, why in sorted(judging.blank.items()):
            warn(f"case {case} is left blank: {why}")
        used, paid = judging.usage, cost(judging.usage, spec.prices, cached=False)
        told = ["unknown" if n is None else f"{n:,}" for n in (used.input, used.output)]
        price = "unknown (model.prices)" if paid is None else f"{paid:.4f} USD at list price"
        say(f"tokens: {told[0]} in, {told[1]} out; cost: {price}")


def audit_score(paths: Sequence[str], key: str | None) -> int:
    """Agreement of the code with filled sheets, and the scorer's error rates as a file.

    Several sheets are of several judges over the same cases; key: the file of audit-sample, where
    it does not lie beside the first sheet.
    """
    from analysis.agreement import agreement, between
    from harness.blind import key_path, read_judgements

    sheets = [Path(path) for path in paths]
    key_file = Path(key) if key else key_path(sheets[0])
    rows = [row for sheet in sheets for row in read_judgements(sheet, key_file)]
    table, rates = agreement(rows)
    target = sheets[0].with_suffix(".rates.json")
    write_atomic(target, json.dumps(rates, indent=1).encode("utf-8"))
    say(table.to_text())
    if several := between(rows):
        say(several.to_text())
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
