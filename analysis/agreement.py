"""Code against a person: agreement, error rates, and what they do to a difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from statsmodels.stats.inter_rater import cohens_kappa

from analysis import stats
from analysis.cells import difference_cell, percent, points, ratio_cell, share_cell
from analysis.compare import Effect
from analysis.frames import BASE, Frames
from analysis.pairs import pairs, preferred
from analysis.stats import Interval
from analysis.table import NO_TRIALS, Cell, Row, Table

DRAWS = 4000
ALPHA_DRAWS = 2000
Rates = Mapping[str, Mapping[str, int]]
"""Verdict -> counts: true_pass, false_pass, true_fail, false_fail (false_pass: the code passed
what the person failed)."""


def agreement(rows: Sequence[Mapping[str, Any]]) -> tuple[Table, dict[str, dict[str, int]]]:
    """Table and error counts per verdict. rows: as `harness.blind.read_judgements` gives them.

    Where several judged (people, or a model), alpha is over all of them and the code, and counts
    are summed.
    """
    frame = pd.DataFrame(rows)
    judges = list(dict.fromkeys(frame["judge"]))
    out, rates = [], {}
    for name, mine in frame.groupby("name", sort=False):
        rates[str(name)] = _counts(mine)
        alpha = _alpha_cell(mine)
        for judge in judges:
            own = mine[mine["judge"] == judge]
            if len(own):
                out.append(_agreement_row(str(name), str(judge), own, alpha))
    columns = ("verdict", "judge", "agreement", "kappa [95 %]", "alpha of all [95 %]")
    columns += ("passed, by the judge", "passed by code, of failed", "failed by code, of passed")
    notes = (
        "k/n (share) [95 % Wilson]. Kappa (Cohen): the code against one judge; alpha "
        "(Krippendorff, nominal): the code and all judges, interval by bootstrap over cases. Both "
        "are low where nearly all pass or fail, however good the agreement: read them with the "
        "share that passed beside them.",
    )
    return Table("agreement", "Code against judges", columns, tuple(out), notes), rates


def between(rows: Sequence[Mapping[str, Any]]) -> Table | None:
    """Judges against each other, two at a time; None for one judge. rows: as for `agreement`."""
    frame = pd.DataFrame(rows)
    judges = list(dict.fromkeys(frame["judge"]))
    out = []
    for name, mine in frame.groupby("name", sort=False):
        by = mine.pivot(index="case", columns="judge", values="person")
        for one, other in combinations([judge for judge in judges if judge in by], 2):
            both = by[[one, other]].dropna().astype(bool)
            passed, also = (both[judge] for judge in (one, other))
            counts = _counts(pd.DataFrame({"code": passed, "person": also}))
            cells = [Cell(str(name)), Cell(f"{one}, {other}")]
            cells.append(ratio_cell(int((passed == also).sum()), len(both), NO_TRIALS))
            cells.append(_kappa_cell(counts))
            cells += [ratio_cell(int(f.sum()), len(f), NO_TRIALS) for f in (passed, also)]
            out.append(Row(tuple(cells)))
    columns = ("verdict", "judges", "agreement", "kappa [95 %]", "passed, by the first")
    columns += ("passed, by the second",)
    note = "Over the cases that both judged; kappa is low where nearly all pass or fail."
    title = "Judges against each other"
    return Table("judges", title, columns, tuple(out), (note,)) if len(judges) > 1 else None


def _counts(rows: pd.DataFrame) -> dict[str, int]:
    code, person = rows["code"].astype(bool), rows["person"].astype(bool)
    return {
        "true_pass": int((code & person).sum()),
        "false_pass": int((code & ~person).sum()),
        "true_fail": int((~code & ~person).sum()),
        "false_fail": int((~code & person).sum()),
    }


def _agreement_row(name: str, judge: str, rows: pd.DataFrame, alpha: Cell) -> Row:
    code, person = rows["code"].astype(bool), rows["person"].astype(bool)
    same = rows.assign(trial_id=rows["trial_id"].astype("category"), same=code == person)
    # the code's answers of the same rows: an empty frame would take on the rows of a longer column
    wrong_pass = same[~person].assign(f=code[~person])
    wrong_fail = same[person].assign(f=~code[person])
    cells = [Cell(name), Cell(judge), share_cell(same, "same"), _kappa_cell(_counts(rows)), alpha]
    cells.append(Cell(percent(float(person.mean())), {"share": float(person.mean())}))
    return Row((*cells, share_cell(wrong_pass, "f"), share_cell(wrong_fail, "f")))


def alpha(counts: np.ndarray) -> float | None:
    """Krippendorff's alpha for nominal values. counts: one row a unit, one column a value: how
    many raters gave it. Units with one rating tell nothing. None where all values are alike.

    Source: Krippendorff 2011, Computing Krippendorff's Alpha-Reliability.
    """
    found = _alphas(np.asarray(counts, dtype=float)[None])[0]
    return None if np.isnan(found) else float(found)


def _alphas(counts: np.ndarray) -> np.ndarray:
    """The same for a stack of tables; not a number where all values are alike."""
    raters = counts.sum(axis=2, keepdims=True)
    counts = np.where(raters > 1, counts, 0.0)
    raters = np.maximum(raters, 2.0)
    total = counts.sum(axis=(1, 2))
    of_value = counts.sum(axis=1)
    seen = (counts * (raters - counts) / (raters - 1)).sum(axis=(1, 2)) / np.maximum(total, 1)
    by_chance = total**2 - (of_value**2).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):  # one value only: 0 / 0
        return 1 - seen * total * (total - 1) / by_chance


def _alpha_cell(rows: pd.DataFrame) -> Cell:
    """Alpha of the code and all judges over the cases, with a percentile bootstrap interval."""
    people = pd.crosstab(rows["case"], rows["person"]).reindex(columns=[False, True], fill_value=0)
    code = rows.groupby("case")["code"].first().reindex(people.index).astype(bool).to_numpy()
    counts = people.to_numpy(dtype=float) + np.stack([~code, code], axis=1)
    value = alpha(counts)
    if value is None:
        return Cell(None, {"alpha": None, "low": None, "high": None})
    picked = np.random.default_rng(stats.SEED).integers(0, len(counts), (ALPHA_DRAWS, len(counts)))
    drawn = _alphas(counts[picked])
    low, high = np.nanquantile(drawn, [(1 - stats.LEVEL) / 2, (1 + stats.LEVEL) / 2])
    parts = {"alpha": value, "low": float(low), "high": float(high)}
    return Cell(f"{value:.2f} [{low:.2f}, {high:.2f}]", parts)


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


def _points(value: float | None, ends: Interval | None, trials: np.ndarray) -> Cell:
    if value is None or ends is None:
        return Cell(None, {"points": None, "low": None, "high": None})
    parts = {"points": 100 * value, "low": 100 * ends.low, "high": 100 * ends.high}
    return Cell(f"{points(value)} [{points(ends.low)}, {points(ends.high)}]", parts, trials)
