"""Where the variance of a verdict lies: tasks, seams, draws. For runs with several draws."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.cells import ids_of, percent
from analysis.frames import VERDICTS, Frames
from analysis.table import Cell, Row, Table

LEVELS = ("task", "seam", "prefix draw", "compaction draw")
"""From wide to narrow; what is left is the continuation draw and chance."""


def several_draws(f: Frames) -> bool:
    """Whether a seam was taken more than once by an arm."""
    names = ("prefix_draw", "compaction_draw", "continuation_draw")
    return any(f.trials[name].nunique() > 1 for name in names)


def components(f: Frames) -> Table:
    """Share of the variance of each verdict that lies between tasks, seams and draws."""
    rows = []
    for arm in f.arms:
        for verdict in VERDICTS:
            scored = f.scored(arm)
            scored = scored[scored[verdict].notna()]
            found = shares(scored, verdict)
            cells = [Cell(arm), Cell(verdict), Cell(str(len(scored)), trials=ids_of(scored))]
            for level in (*LEVELS, "rest"):
                share = None if found is None else found.get(level)
                cells.append(Cell(None if share is None else percent(share), {"share": share}))
            rows.append(Row(tuple(cells), "controls" if arm in f.controls else "strategies"))
    columns = ("strategy", "in", "trials", *LEVELS, "rest")
    notes = (
        "Share of the variance of the verdict as 0 and 1, by nested analysis of variance, each "
        "level within the one before; rest: continuation draw and chance. n/a: a level that this "
        "run does not vary, or no variance at all.",
        f.caption,
    )
    return Table("components", f.title("Where the variance lies"), columns, tuple(rows), notes)


def shares(scored: pd.DataFrame, verdict: str) -> dict[str, float] | None:
    """Level -> share of the variance; a level that is not varied is left out.

    Nested analysis of variance (sums of squares against their expectations, unequal numbers),
    components below 0 taken as 0. Source: Searle, Casella, McCulloch 1992, Variance Components,
    5.2. None for one task, one outcome, or no repeated trial.
    """
    y = scored[verdict].to_numpy(dtype=float)
    data = _levels(scored)
    codes, names = [np.zeros(len(y), dtype=int)], []
    for level in LEVELS:
        code = pd.factorize(data[level])[0]
        if code.max(initial=0) > codes[-1].max(initial=0):
            codes.append(code)
            names.append(level)
    if codes[-1].max() + 1 == len(y):  # the narrowest level is the trial itself
        codes, names = codes[:-1], names[:-1]
    if names[:1] != ["task"] or len(np.unique(y)) < 2:
        return None
    found = dict(zip((*names, "rest"), _components(y, codes), strict=True))
    total = sum(found.values())
    return {name: value / total for name, value in found.items()} if total > 0 else None


def _components(y: np.ndarray, codes: list[np.ndarray]) -> list[float]:
    """Components of the levels below the first of `codes` (the whole), then of the rest."""
    levels = [*codes, np.arange(len(y))]
    sizes = [np.bincount(code) for code in levels]
    means = [np.bincount(code, y) / size for code, size in zip(levels, sizes, strict=True)]
    found = [0.0] * len(levels)
    for i in range(len(levels) - 1, 0, -1):
        freedom = len(sizes[i]) - len(sizes[i - 1])
        square = ((means[i][levels[i]] - means[i - 1][levels[i - 1]]) ** 2).sum() / freedom
        weights = [
            (_held(levels, sizes, i, j) - _held(levels, sizes, i - 1, j)) / freedom
            for j in range(len(levels))
        ]
        above = sum(weights[j] * found[j] for j in range(i + 1, len(levels)))
        found[i] = max(0.0, (square - above) / weights[i])
    return found[1:]


def _held(levels: list[np.ndarray], sizes: list[np.ndarray], i: int, j: int) -> float:
    """Over units of level i: squared sizes of their units of level j, by their own size; summed."""
    return float((sizes[j][levels[j]] / sizes[i][levels[i]]).sum())


def _levels(scored: pd.DataFrame) -> pd.DataFrame:
    """Names of the units of each level, each within the one before."""
    text = scored[["task", "timing", "repeat", "prefix_draw", "compaction_draw"]].astype(str)
    seam = text["task"] + "/" + text["timing"] + "/" + text["repeat"]
    prefix = seam + "/" + text["prefix_draw"]
    columns = (text["task"], seam, prefix, prefix + "/" + text["compaction_draw"])
    return pd.DataFrame(dict(zip(LEVELS, columns, strict=True)))
