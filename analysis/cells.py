"""Cells: how shares, differences, means and p values are written."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis import ratios, stats
from analysis.pairs import distinct
from analysis.table import Cell, Number


def label(value: str) -> str:
    """How a column of `trials` is called in tables."""
    for tail, words in (("_extended", ", extended window"), ("_from_seam", ", from the seam")):
        if value.endswith(tail):
            return value.removesuffix(tail) + words
    return value.removeprefix("passed_")


def points(value: float) -> str:
    """A share as signed percentage points."""
    text = f"{100 * value:+.1f}"
    return "0.0" if text in ("+0.0", "-0.0") else text


def p_text(p: float) -> str:
    """A p value to three places."""
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def difference_cell(d: stats.Difference, trials: np.ndarray) -> Cell:
    """Points with the t interval."""
    return estimate_cell(d.estimate, d.interval, trials)


def estimate_cell(value: float | None, ends: stats.Interval | None, trials: np.ndarray) -> Cell:
    """A difference in points with an interval."""
    if value is None:
        return Cell(None, {"points": None, "low": None, "high": None})
    low, high = ends or (None, None)
    text = points(value) + (f" [{points(low)}, {points(high)}]" if ends else " [n/a]")
    parts: dict[str, Number] = {"points": 100 * value}
    parts |= {"low": low and 100 * low, "high": high and 100 * high}
    return Cell(text, parts, trials)


def interval_cell(ends: stats.Interval | None, trials: np.ndarray) -> Cell:
    """Both ends in points."""
    if ends is None:
        return Cell(None, {"low": None, "high": None})
    parts: dict[str, Number] = {"low": 100 * ends.low, "high": 100 * ends.high}
    return Cell(f"[{points(ends.low)}, {points(ends.high)}]", parts, trials)


def points_cell(value: float | None, trials: np.ndarray, signed: bool = False) -> Cell:
    """A share in percentage points."""
    if value is None:
        return Cell(None)
    text = points(value) if signed else f"{100 * value:.1f}"
    return Cell(text, {"points": 100 * value}, trials)


def p_cell(p: float | None, trials: np.ndarray) -> Cell:
    """A p value."""
    return Cell(None) if p is None else Cell(p_text(p), {"p": p}, trials)


def ratio_interval_cell(ratio: ratios.Ratio | None, trials: np.ndarray) -> Cell:
    """A ratio with its interval."""
    if ratio is None:
        return Cell(None, {"ratio": None, "low": None, "high": None})
    parts: dict[str, Number] = {"ratio": ratio.value, "low": ratio.low, "high": ratio.high}
    return Cell(f"{ratio.value:.2f} [{ratio.low:.2f}, {ratio.high:.2f}]", parts, trials)


def share_cell(rows: pd.DataFrame, column: str) -> Cell:
    """k/n (share) [Wilson] of a boolean column over the rows where it is known."""
    flags = rows[column].dropna()
    k, n = int(flags.sum()), len(flags)
    ends = stats.wilson(k, n)
    if ends is None:
        return Cell(None, {"k": 0, "n": 0})
    text = f"{k}/{n} ({percent(k / n)}) [{100 * ends.low:.0f}, {100 * ends.high:.0f}]"
    parts: dict[str, Number] = {"k": k, "n": n, "share": k / n, "low": ends.low, "high": ends.high}
    return Cell(text, parts, ids_of(rows[rows[column].notna()]))


def ids_of(rows: pd.DataFrame) -> np.ndarray:
    """Places of the trials of `rows`, each once."""
    return distinct(rows["trial_id"].array.codes)


def percent(value: float) -> str:
    """A share as whole per cent."""
    return f"{100 * value:.0f}%"


def count_cell(rows: pd.DataFrame) -> Cell:
    """The number of `rows`."""
    return Cell(str(len(rows)), trials=ids_of(rows))


def scored_cell(scored: pd.DataFrame, of: int) -> Cell:
    """How many were scored, of how many."""
    return Cell(f"{len(scored)}/{of}", {"k": len(scored), "of": of}, ids_of(scored))


def ratio_cell(k: int, n: int, trials: np.ndarray) -> Cell:
    """k/n (share), without an interval."""
    if n == 0:
        return Cell(None, {"k": 0, "n": 0})
    return Cell(f"{k}/{n} ({percent(k / n)})", {"k": k, "n": n, "share": k / n}, trials)


def flags_cell(rows: pd.DataFrame, flags: pd.Series) -> Cell:
    """k/n (share) of `flags` over `rows`, without an interval."""
    return ratio_cell(int(flags.sum()), len(rows), ids_of(rows))


def score_cell(
    value: float | None, ends: stats.Interval | None, n: int, trials: np.ndarray
) -> Cell:
    """A normalised score with its interval and the number of tasks."""
    low, high = ends or (None, None)
    parts: dict[str, Number] = {"score": value, "low": low, "high": high, "tasks": n}
    if value is None:
        return Cell(None, parts)
    inner = f"{low:.2f}, {high:.2f}" if ends else "n/a"
    return Cell(f"{value:.2f} [{inner}] {n} tasks", parts, trials)


def sums_by_trial(rows: pd.DataFrame, column: str) -> pd.DataFrame:
    """Columns trial_id and `column`: the sum per trial; unknown where any phase is unknown."""
    codes = rows["trial_id"].array.codes
    _, first, number = np.unique(codes, return_index=True, return_inverse=True)
    values = rows[column].to_numpy(dtype=float, na_value=np.nan)
    sums = np.bincount(number, values, len(first))
    return pd.DataFrame({"trial_id": rows["trial_id"].array[first], column: sums})


def mean_cell(rows: pd.DataFrame, column: str, form: str) -> Cell:
    """Mean of a column over the rows where it is known, written by the format `form`."""
    known = rows[rows[column].notna()]
    if known.empty:
        return Cell(None, {"mean": None, "n": 0})
    mean = float(known[column].mean())
    return Cell(form.format(mean), {"mean": mean, "n": len(known)}, ids_of(known))


def usage_cell(rows: pd.DataFrame) -> Cell:
    """Mean tokens of one phase: input (share cached) > output."""
    rows = rows[rows["input_tokens"].notna() & rows["output_tokens"].notna()]
    names = ("input", "cached", "output")
    if rows.empty:
        return Cell(None, {f"{name}_tokens": None for name in names} | {"n": 0})
    known = {name: rows[f"{name}_tokens"].dropna() for name in names}
    parts: dict[str, Number] = {
        f"{name}_tokens": float(v.mean()) if len(v) == len(rows) else None
        for name, v in known.items()
    }
    total, cached = known["input"].sum(), parts["cached_tokens"]
    part = "" if cached is None or not total else f" ({percent(known['cached'].sum() / total)})"
    text = f"{parts['input_tokens']:,.0f}{part} > {parts['output_tokens']:,.0f}"
    return Cell(text, parts | {"n": len(rows)}, ids_of(rows))
