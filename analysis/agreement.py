"""Code against a person: agreement, error rates, and what they do to a difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from statsmodels.stats.inter_rater import cohens_kappa

from analysis import stats
from analysis.cells import difference_cell, percent, points, share_cell
from analysis.compare import Effect
from analysis.frames import BASE, Frames
from analysis.pairs import pairs, preferred
from analysis.stats import Interval
from analysis.table import Cell, Row, Table

DRAWS = 4000
Rates = Mapping[str, Mapping[str, int]]
"""Verdict -> counts: true_pass, false_pass, true_fail, false_fail (false_pass: the code passed
what the person failed)."""


def agreement(rows: Sequence[Mapping[str, Any]]) -> tuple[Table, dict[str, dict[str, int]]]:
    """Table and error counts per verdict. rows: as `harness.blind.read_judgements` gives them."""
    frame = pd.DataFrame(rows)
    out, rates = [], {}
    for name, mine in frame.groupby("name", sort=False):
        code, person = mine["code"].astype(bool), mine["person"].astype(bool)
        rates[str(name)] = counts = {
            "true_pass": int((code & person).sum()),
            "false_pass": int((code & ~person).sum()),
            "true_fail": int((~code & ~person).sum()),
            "false_fail": int((~code & person).sum()),
        }
        same = mine.assign(trial_id=mine["trial_id"], same=code == person)
        wrong_pass, wrong_fail = same[~person].assign(f=code), same[person].assign(f=~code)
        cells = [Cell(str(name)), share_cell(same, "same"), _kappa_cell(counts)]
        cells.append(Cell(percent(float(person.mean())), {"share": float(person.mean())}))
        cells += [share_cell(wrong_pass, "f"), share_cell(wrong_fail, "f")]
        out.append(Row(tuple(cells)))
    columns = ("verdict", "agreement", "kappa [95 %]", "passed, by the person")
    columns += ("passed by code, of failed", "failed by code, of passed")
    notes = (
        "k/n (share) [95 % Wilson]. Kappa is low where nearly all pass or fail, however good the "
        "agreement: read it with the share beside it.",
    )
    return Table("agreement", "Code against a person", columns, tuple(out), notes), rates


def kappa(counts: Mapping[str, int]) -> tuple[float, Interval] | None:
    """Cohen's kappa with its asymptotic interval. None where one of both gave one answer only.

    Source: Fleiss, Cohen, Everitt 1969, Psychol. Bull. 72:323.
    """
    table = np.array(
        [
            [counts["true_pass"], counts["false_pass"]],
            [counts["false_fail"], counts["true_fail"]],
        ]
    )
    if (table.sum(axis=0) == 0).any() or (table.sum(axis=1) == 0).any():
        return None
    found = cohens_kappa(table)
    return float(found.kappa), Interval(float(found.kappa_low), min(1.0, float(found.kappa_upp)))


def _kappa_cell(counts: Mapping[str, int]) -> Cell:
    found = kappa(counts)
    if found is None:
        return Cell(None, {"kappa": None, "low": None, "high": None})
    value, (low, high) = found
    parts = {"kappa": value, "low": low, "high": high}
    return Cell(f"{value:.2f} [{low:.2f}, {high:.2f}]", parts)


def corrected(
    means: Sequence[float], counts: Mapping[str, int], seed: int = stats.SEED
) -> tuple[float | None, Interval | None]:
    """A difference of shares as it would be without errors: d / (sensitivity + specificity - 1).

    means: task means of the difference. Interval: percentile, over resampled tasks and over the
    error rates' own uncertainty (uniform prior). Takes errors as equally likely in both arms.
    Source: Rogan and Gladen 1978, Am. J. Epidemiol. 107:71. None where the scorer tells nothing.
    """
    passed, failed = counts["true_pass"], counts["true_fail"]
    x = np.asarray(means, dtype=float)
    if len(x) < 2 or passed + counts["false_fail"] == 0 or failed + counts["false_pass"] == 0:
        return None, None
    skill = passed / (passed + counts["false_fail"]) + failed / (failed + counts["false_pass"]) - 1
    if skill < stats.MIN_SPAN:
        return None, None
    rng = np.random.default_rng(seed)
    sensitivity = rng.beta(passed + 1, counts["false_fail"] + 1, DRAWS)
    specificity = rng.beta(failed + 1, counts["false_pass"] + 1, DRAWS)
    skills = np.maximum(sensitivity + specificity - 1, stats.MIN_SPAN)
    drawn = rng.choice(x, (DRAWS, len(x))).mean(axis=1) / skills
    low, high = np.quantile(drawn, [(1 - stats.LEVEL) / 2, (1 + stats.LEVEL) / 2])
    return float(x.mean() / skill), Interval(float(low), float(high))


def corrected_table(f: Frames, found: Sequence[Effect], rates: Rates) -> Table:
    """Differences to `bare` in `continued`, as found and with the scorer's errors taken out."""
    rows = []
    for effect in found:
        claim = effect.claim
        if claim.value != "continued" or claim.base != BASE or "continued" not in rates:
            continue
        table = preferred(pairs(f.trials, claim.arm, BASE, claim.value))
        value, ends = corrected(list(stats.task_means(table)["d"]), rates["continued"])
        cells = [Cell(f"{claim.arm} - {BASE}"), difference_cell(effect.found, effect.trials)]
        rows.append(Row((*cells, _points(value, ends, effect.trials))))
    columns = ("difference", "as found, points [95 %]", "corrected, points [95 %]")
    notes = (
        "corrected: divided by sensitivity + specificity - 1 of the scorer, with the uncertainty "
        "of both rates; it takes errors as equally likely in both arms, which only a sample judged "
        "per strategy could show.",
        f.caption,
    )
    title = f.title("Differences without the scorer's errors")
    return Table("corrected", title, columns, tuple(rows), notes)


def _points(value: float | None, ends: Interval | None, trials: tuple[str, ...]) -> Cell:
    if value is None or ends is None:
        return Cell(None, {"points": None, "low": None, "high": None})
    parts = {"points": 100 * value, "low": 100 * ends.low, "high": 100 * ends.high}
    return Cell(f"{points(value)} [{points(ends.low)}, {points(ends.high)}]", parts, trials)
