"""Does a difference to `bare` stand when the question is asked in other ways?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from analysis import ratios, stats
from analysis.cells import (
    difference_cell,
    estimate_cell,
    ids_of,
    p_cell,
    points_cell,
    ratio_interval_cell,
)
from analysis.compare import Claim, Effect, arms_alike, find
from analysis.frames import BASE, VERDICT_ITEMS, Frames
from analysis.pairs import behind, differences, pairs, preferred
from analysis.table import NO_TRIALS, Cell, Row, Table

Line = tuple[str, Cell, Cell]
"""A way of asking, its difference in points, its p value."""

_OTHER_CLOCKS = (
    ("continued_strict", "strict verdict"),
    ("continued_extended", "extended window"),
    ("continued_from_seam", "window straight from the seam"),
)


def compared(f: Frames) -> list[str]:
    """Strategies that can be compared with `bare`."""
    return [a for a in f.arms if a != BASE and a not in f.controls] if BASE in f.arms else []


def sensitivity(f: Frames, found: Sequence[Effect]) -> Table:
    """The same question asked in other ways, clusters ignored among them; `continued` only."""
    rows = []
    for effect in found:
        claim = effect.claim
        if claim.value != "continued" or claim.base != BASE or claim.family is None:
            continue
        lines = [*_models(f, effect), *_clocks(found, effect), *_ranges(f, claim)]
        lines += [*_by_split(f, claim), *_missing(f, claim)]
        first = Cell(f"{claim.arm} - {BASE}")
        rows += [Row((first, Cell(a), d, p), claim.arm) for a, d, p in lines]
    columns = ("difference", "analysis", "points, or odds ratio [95 %]", "p")
    notes = (
        "In `continued`. The p values that ignore clusters are shown to tell what that does. "
        "Ranges: lowest to highest estimate. GEE score test: independence working correlation, "
        f"errors clustered by task. GEE odds ratio: {ratios.WORKING}. Conditional logit: one "
        f"stratum a task, n/a where a task has over {ratios.STRATUM} trials of the two arms. "
        "Odds ratios are n/a where an arm has one outcome only.",
        "Tipping point: the largest share of successes that the trials of the arm without a score "
        "may have had (those of bare: the rest) at which the interval takes zero in.",
    )
    return Table("sensitivity", f.title("Sensitivity"), columns, tuple(rows), (*notes, f.caption))


def _models(f: Frames, effect: Effect) -> Iterator[Line]:
    claim, d, ids = effect.claim, effect.found, effect.trials
    yield "registered: tasks as clusters", difference_cell(d, ids), p_cell(d.p, ids)
    score = arms_alike(f, (claim.arm, BASE), claim.value)
    yield "GEE score test, tasks as clusters", Cell(""), p_cell(score and score.p, ids)
    data = _both(f, claim)
    for text, ratio in (
        ("GEE odds ratio, tasks as clusters", ratios.gee_ratio(data)),
        ("conditional logit odds ratio", ratios.conditional_ratio(data)),
    ):
        yield text, ratio_interval_cell(ratio, ids), p_cell(ratio and ratio.p, ids)
    plain = stats.mcnemar_plain(d.plus, d.minus)
    yield "McNemar, clusters ignored", Cell(""), p_cell(plain and plain.p, ids)
    mid = stats.mcnemar_mid_p(d.plus, d.minus)
    yield "McNemar mid-p, clusters ignored", Cell(""), p_cell(mid, ids)


def _both(f: Frames, claim: Claim) -> pd.DataFrame:
    """Columns y, arm (1 or 0 for the base), group: the scored trials of both arms."""
    rows = f.scored()[["arm", "task", claim.value]]
    rows = rows[rows["arm"].isin([claim.arm, claim.base]) & rows[claim.value].notna()]
    flags = {"y": rows[claim.value].astype(float), "arm": (rows["arm"] == claim.arm).astype(float)}
    return pd.DataFrame({**flags, "group": rows["task"]})


def _clocks(found: Sequence[Effect], effect: Effect) -> Iterator[Line]:
    for value, text in _OTHER_CLOCKS:
        other = find(found, effect.claim.arm, value, effect.paired)
        if other is not None:
            p = p_cell(other.found.p, other.trials)
            yield text, difference_cell(other.found, other.trials), p


def _ranges(f: Frames, claim: Claim) -> Iterator[Line]:
    for text, values in estimates(f, claim.arm).items():
        if len(values) > 1:
            ends = f"{100 * min(values):+.1f} to {100 * max(values):+.1f}"
            parts = {"low": 100 * min(values), "high": 100 * max(values)}
            yield f"{text} ({len(values)})", Cell(ends, parts), Cell("")


def estimates(f: Frames, arm: str) -> dict[str, list[float]]:
    """Estimates of arm - bare in `continued`: one task out, one codebase out, the 32 weightings."""
    means = stats.task_means(_own_pairs(f, arm))
    out = {"one task left out": "task", "one codebase left out": "codebase"}
    found = {
        text: [float(means.loc[means[by] != name, "d"].mean()) for name in _names(means, by)]
        for text, by in out.items()
    }
    weighted = [estimate for estimate, _, _ in weighted_differences(f, arm)]
    return {**found, "weighting of items": [value for value in weighted if value is not None]}


def _own_pairs(f: Frames, arm: str) -> pd.DataFrame:
    return preferred(pairs(f.trials, arm, BASE, "continued"))


def _names(means: pd.DataFrame, by: str) -> list[str]:
    names = sorted(means[by].dropna().unique())
    return names if len(names) > 1 else []


def _by_split(f: Frames, claim: Claim) -> Iterator[Line]:
    splits = sorted(f.trials["split"].dropna().unique())
    for split in splits if len(splits) > 1 else ():
        rows = f.trials[f.trials["split"] == split]
        rows = preferred(pairs(rows, claim.arm, BASE, claim.value))
        d, ids = stats.paired_difference(rows), behind(rows)
        yield f"split {split} only ({d.n_tasks} tasks)", difference_cell(d, ids), p_cell(d.p, ids)


def _missing(f: Frames, claim: Claim) -> Iterator[Line]:
    lines = bounds(f, claim)
    for text, estimate, trials in lines:
        yield text, points_cell(estimate, trials, signed=True), Cell("")
    if lines:
        yield "tipping point", Cell(tipping_point(f, claim)), Cell("")


def bounds(f: Frames, claim: Claim) -> list[tuple[str, float | None, np.ndarray]]:
    """Estimates with every trial that was not scored counted against, and for, the arm.

    Empty where all recorded trials of both arms were scored. Pairs here share the key only: a
    trial that failed before its fork has no prefix to compare.
    """
    both = f.trials[f.trials["arm"].isin([claim.arm, claim.base])]
    if not (both["status"] != "scored").any():
        return []
    found = []
    for text, share in (
        ("as failed, of bare as passed", 0.0),
        ("as passed, of bare as failed", 1.0),
    ):
        table = _filled(both, claim, share)
        estimate = stats.paired_difference(table).estimate
        found.append((f"not scored counted {text}", estimate, behind(table)))
    return found


def tipping_point(f: Frames, claim: Claim) -> str:
    """In steps of 5 %: where the registered interval begins to hold zero, in words."""
    both = f.trials[f.trials["arm"].isin([claim.arm, claim.base])]
    observed = stats.brief(pairs(both, claim.arm, claim.base, claim.value))
    if not stats.clear_sign(observed[1]):
        return "zero is within already"
    steps = np.linspace(1, 0, 21) if observed[0] > 0 else np.linspace(0, 1, 21)
    for share in steps:
        ends = stats.brief(_filled(both, claim, float(share)))[1]
        if not stats.clear_sign(ends):
            return f"{100 * share:.0f}% passed"
    return "none: the sign stands whatever they were"


def _filled(both: pd.DataFrame, claim: Claim, share: float) -> pd.DataFrame:
    """Pairs in which trials without a score count `share` for the arm, 1 - share for the base."""
    missing = both["status"] != "scored"
    filled = both.assign(**{claim.value: both[claim.value].astype("Float64")})
    given = pd.Series(np.where(both["arm"] == claim.arm, share, 1 - share), both.index)
    filled[claim.value] = filled[claim.value].mask(missing, given)
    filled["status"] = "scored"
    return pairs(filled, claim.arm, claim.base, claim.value)


def weightings_of() -> list[tuple[str, ...]]:
    """The 32 choices of which items count as high."""
    sizes = range(len(VERDICT_ITEMS) + 1)
    return [high for size in sizes for high in combinations(VERDICT_ITEMS, size)]


def with_verdicts(trials: pd.DataFrame) -> pd.DataFrame:
    """`trials` with columns w0 to w31: no item of the choice failed; unknown without items."""
    failed = {i: ~trials[f"passed_{i}"].fillna(True).to_numpy(dtype=bool) for i in VERDICT_ITEMS}
    unknown = trials["exercised_items"].isna()
    made = {}
    for number, high in enumerate(weightings_of()):
        lost = np.zeros(len(trials), dtype=bool)
        for item in high:
            lost |= failed[item]
        verdict = pd.Series(~lost, index=trials.index).astype("boolean")
        made[f"w{number}"] = verdict.mask(unknown)
    return pd.concat([trials, pd.DataFrame(made)], axis=1)


def weighted_differences(
    f: Frames, arm: str
) -> list[tuple[float | None, stats.Interval | None, np.ndarray]]:
    """Per weighting: estimate and t interval of arm - bare, and the trials behind them."""
    names = [f"w{number}" for number in range(len(weightings_of()))]
    rows = differences(with_verdicts(f.trials[f.trials["arm"].isin([arm, BASE])]), arm, BASE, names)
    means = rows.groupby(["task", "prefix_id"], observed=True)[names].mean()
    means = means.groupby("task", observed=True).mean()
    ids = behind(rows)
    if means.empty:
        return [(None, None, ids) for _ in names]
    return [(float(means[n].mean()), stats.mean_interval(means[n].to_numpy()), ids) for n in names]


def weightings(f: Frames) -> Table:
    """Differences to `bare` under all 32 choices of the items that count."""
    arms = compared(f)
    found = [weighted_differences(f, arm) for arm in arms]
    rows = []
    for number, high in enumerate(weightings_of()):
        cells = [Cell(", ".join(high) or "none (every trial passes)"), Cell(str(len(high)))]
        rows.append(Row((*cells, *(estimate_cell(*of_arm[number]) for of_arm in found))))
    columns = ("items that count", "n", *(f"{arm} - bare, points [95 %]" for arm in arms))
    notes = (
        "continued is the choice of constraints, file_paths and subgoals; continued_strict the "
        "choice of all five. t interval on task means; no adjustment for several comparisons.",
        f.caption,
    )
    title = f.title("The 32 weightings of the rubric")
    return Table("weightings", title, columns, tuple(rows), notes)


def left_out(f: Frames) -> Table:
    """Differences to `bare` with each task, and each codebase, left out in turn."""
    found = {arm: stats.task_means(_own_pairs(f, arm)) for arm in compared(f)}
    rows = []
    for by in ("codebase", "task"):
        groups = f.scored().groupby(by, observed=True)
        for name, left in groups if groups.ngroups > 1 else ():
            first = Cell(str(name), trials=ids_of(left))
            rest = [m.loc[m[by] != name, "d"].to_numpy(dtype=float) for m in found.values()]
            cells = [estimate_cell(*stats.mean_of(d), NO_TRIALS) for d in rest]
            rows.append(Row((first, *cells), f"one {by} left out"))
    columns = ("left out", *(f"{arm} - bare, points [95 %]" for arm in found))
    notes = ("In `continued`; t interval on task means. A name leads to its trials.", f.caption)
    return Table("left_out", f.title("One left out"), columns, tuple(rows), notes)
