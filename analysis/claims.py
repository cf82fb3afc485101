"""The seeds' claims against a run: verdict by the rule in configs/claims.yaml, nothing more.

A simulated run decides no claim of class B or R: those say "needs a real model".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml
from statsmodels.regression.linear_model import OLS
from statsmodels.tools.tools import add_constant

from analysis import stats
from analysis.cells import ids_of, points
from analysis.frames import Frames
from analysis.pairs import pairs, preferred
from analysis.stats import Interval
from analysis.table import Cell, Row, Table
from harness.types import BANDS, Family

BAND = 0.10
SUPPORTED, CONTRADICTED, UNKNOWN = "supported", "contradicted", "cannot tell"


@dataclass(frozen=True)
class Part:
    """One statistic of a claim: estimate and interval on the scale of shares, and its verdict.

    `missing` says what the run lacks where it cannot be computed. visible: the smallest
    difference from the threshold that this many tasks could show.
    """

    what: str
    estimate: float | None = None
    interval: Interval | None = None
    verdict: str = UNKNOWN
    visible: float | None = None
    missing: str | None = None


def claims_table(f: Frames, path: Path) -> Table:
    """One row per claim: verdict, parts with their intervals, what could have been seen."""
    data: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    rows = []
    for name, claim in data.items():
        parts = [part for given in claim["parts"] for part in measure(f, given)]
        told = verdict(claim["class"], parts, simulated=f.simulated)
        seen = [p.visible for p in parts if p.visible is not None]
        cells = [
            Cell(name),
            Cell(claim["class"]),
            Cell(claim["claim"]),
            Cell(told),
            Cell("; ".join(map(_told, parts))),
            Cell(f"{100 * max(seen):.0f}" if seen else None),
        ]
        rows.append(Row(tuple(cells), "claims"))
    columns = ("id", "class", "claim", "verdict", "statistics, points [95 %]", "visible")
    notes = (
        "Interval: clustered by codebase, paired by prefix. Class W: the reference worker can "
        "inform it; B: built into worker or summariser; R: needs a real model. visible: the "
        "smallest distance from the threshold, in points, that these tasks could show.",
        f.caption,
    )
    return Table("claims", f.title("Claims"), columns, tuple(rows), notes)


def verdict(kind: str, parts: Sequence[Part], *, simulated: bool) -> str:
    """The rule over all parts of a claim."""
    if simulated and kind != "W":
        return "needs a real model"
    missing = [part.missing for part in parts if part.missing]
    verdicts = {part.verdict for part in parts}
    if CONTRADICTED in verdicts:
        found = CONTRADICTED
    elif missing:
        return f"not in this run: {missing[0]}"
    else:
        found = SUPPORTED if verdicts == {SUPPORTED} else UNKNOWN
    if not simulated:
        return found
    words = {SUPPORTED: "consistent", CONTRADICTED: "inconsistent"}
    return f"{words[found]} with the mechanism" if found in words else UNKNOWN


def measure(f: Frames, given: Mapping[str, Any]) -> Iterator[Part]:
    """The statistics that one entry of a claim asks for."""
    if "needs" in given:
        yield Part(str(given["needs"]), missing=str(given["needs"]))
    elif "difference" in given:
        arm, base = given["difference"]
        rows = None
        if _have(f, arm, base):
            rows = preferred(pairs(_with_modes(f), arm, base, given["in"]))
        yield _part(f"{arm} - {base} in {given['in']}", rows, given)
    elif "rate" in given:
        rows = _values(f, given["rate"], given["in"])
        yield _part(f"{given['rate']} in {given['in']}", rows, given)
    elif "share" in given:
        rows = _values(f, given["arm"], f"passed_{given['share']}", failed=True)
        yield _part(f"{given['share']} among failures of {given['arm']}", rows, given)
    elif "peak" in given:
        for band in BANDS:
            if band != given["peak"]:
                rows = _between_bands(f, given["arm"], given["peak"], band)
                yield _part(f"failure {given['peak']} - {band}", rows, given)
    else:
        yield _trend(f, given)


def _have(f: Frames, *arms: str) -> bool:
    return set(arms) <= set(f.arms)


def _with_modes(f: Frames) -> pd.DataFrame:
    """The trials with a column mode_<name> for each failure mode (0 or 1, scored trials only)."""
    frame = f.trials.copy()
    for name in ("wrong_file", "ghost_dependency", "repeated_step"):
        seen = ids_of(f.modes[f.modes["mode"] == name])
        frame[f"mode_{name}"] = np.isin(frame["trial_id"].array.codes, seen).astype(float)
    return frame


def _values(f: Frames, arm: str, column: str, *, failed: bool = False) -> pd.DataFrame | None:
    """Rows task, codebase, prefix_id, d of one arm. failed: over trials that did not continue,
    whether the item failed."""
    if not _have(f, arm):
        return None
    frame = _with_modes(f)
    rows = frame[(frame["arm"] == arm) & (frame["status"] == "scored") & frame[column].notna()]
    values = rows[column].astype(float)
    if failed:
        rows = rows[~rows["continued"].astype(bool)]
        values = 1 - rows[column].astype(float)
    return rows[["task", "codebase", "prefix_id"]].assign(d=values)


def _between_bands(f: Frames, arm: str, one: str, other: str) -> pd.DataFrame | None:
    """Per task: failure in one band minus failure in the other."""
    if not _have(f, arm):
        return None
    rows = f.scored(arm)
    rows = rows[rows["timing"].isin([one, other])]
    rows = rows.assign(fail=1 - rows["continued"].astype(float))
    wide = rows.assign(timing=rows["timing"].astype(object))
    wide = wide.groupby(["task", "codebase", "timing"], observed=True)["fail"].mean()
    wide = wide.unstack("timing")
    if not {one, other} <= set(wide.columns):
        return None
    wide = wide.dropna(subset=[one, other]).reset_index()
    return wide.assign(prefix_id=wide["task"], d=wide[one] - wide[other])


def _part(what: str, rows: pd.DataFrame | None, given: Mapping[str, Any]) -> Part:
    if rows is None or rows.empty:
        return Part(what, missing=f"no data for {what}")
    means = stats.task_means(rows)
    interval = stats.clustered_interval(means["d"], means["codebase"])
    visible = stats.smallest_visible(means["d"].to_numpy(dtype=float), 1 - stats.LEVEL)
    return Part(what, float(means["d"].mean()), interval, _judge(interval, given), visible)


def _judge(interval: Interval | None, given: Mapping[str, Any]) -> str:
    """Wholly beyond the threshold, wholly on the other side, or neither."""
    if interval is None:
        return UNKNOWN
    low, high = interval
    if "near" in given:
        ends = given["near"] - BAND, given["near"] + BAND
        if ends[0] <= low and high <= ends[1]:
            return SUPPORTED
        return CONTRADICTED if high < ends[0] or low > ends[1] else UNKNOWN
    if "below" in given:
        low, high, threshold = -high, -low, -given["below"]
    else:
        threshold = given["above"]
    if low > threshold:
        return SUPPORTED
    return CONTRADICTED if high < threshold else UNKNOWN


def _trend(f: Frames, given: Mapping[str, Any]) -> Part:
    """Slope of an arm's failure over the families' order, errors clustered by codebase."""
    arm = given["arm"]
    what = f"slope of {arm}'s failure over families"
    if not _have(f, arm):
        return Part(what, missing=f"no data for {arm}")
    rank = {family.value: number for number, family in enumerate(Family)}
    rows = f.scored(arm)
    rows = rows.assign(fail=1 - rows["continued"].astype(float), rank=rows["family"].map(rank))
    # No row at all leaves the columns without a number type.
    rows = rows.astype({"fail": float, "rank": float})
    means = rows.groupby(["task", "codebase"], observed=True)[["fail", "rank"]].mean().reset_index()
    if means["rank"].nunique() < 2 or means["codebase"].nunique() < 3 or means["fail"].std() == 0:
        return Part(what, missing="two families and three codebases")
    design = add_constant(means["rank"].to_numpy(dtype=float))
    codes = pd.factorize(means["codebase"], sort=True)[0]
    fit = OLS(means["fail"].to_numpy(dtype=float), design).fit(
        cov_type="cluster", cov_kwds={"groups": codes}, use_t=True
    )
    low, high = np.asarray(fit.conf_int(alpha=1 - stats.LEVEL))[1]
    interval = Interval(float(low), float(high))
    return Part(what, float(fit.params[1]), interval, _judge(interval, given))


def _told(part: Part) -> str:
    if part.missing:
        return f"needs {part.missing}" if "no data" not in part.missing else part.missing
    if part.interval is None:
        return f"{part.what}: {points(part.estimate or 0.0)} [n/a]"
    low, high = part.interval
    return f"{part.what}: {points(part.estimate or 0.0)} [{points(low)}, {points(high)}]"
