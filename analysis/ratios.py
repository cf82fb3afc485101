"""Ratios of one arm to another with their intervals: odds, hazards, counts, sizes.

Whatever cannot be computed is None, as in `stats`: among it a ratio of arms that do not differ in
any cluster, whose error would be 0, a certainty that the method has no means to know.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.stats import norm
from statsmodels.discrete.conditional_models import ConditionalLogit
from statsmodels.genmod.cov_struct import Exchangeable, Independence
from statsmodels.genmod.families import Binomial, Poisson
from statsmodels.genmod.generalized_estimating_equations import GEE
from statsmodels.regression.linear_model import OLS
from statsmodels.tools.sm_exceptions import IterationLimitWarning
from statsmodels.tools.tools import add_constant

from analysis.stats import LEVEL, has_spread

MANY, LARGE = 100, 400
NO_SPREAD = 1e-12
STEEPEST = 20.0
"""Log of the largest hazard ratio that is looked for."""
STRATUM = 50
"""Most trials of a stratum that conditional regression is computed for: its sums are exact."""

WORKING = (
    f"exchangeable working correlation with bias-reduced errors; with over {MANY} tasks errors "
    f"clustered by task, and with over {LARGE} trials in a task independence as well"
)
"""What `_gee` does, for the notes of tables."""


class Ratio(NamedTuple):
    """A ratio (of odds, hazards, counts, sizes) with its 95 % interval and p value."""

    value: float
    low: float
    high: float
    p: float | None


def gee_ratio(frame: pd.DataFrame) -> Ratio | None:
    """Odds ratio of arm 1 to arm 0 by logistic GEE, exchangeable, bias-reduced errors.

    frame: columns y, arm (0, 1), group. Source: Mancl and DeRouen 2001, Biometrics 57:126. None
    for fewer than three clusters, and where an arm has one outcome only (odds of 0 or infinity).
    """
    if frame["group"].nunique() < 3 or _one_sided(frame):
        return None
    return _gee(frame, Binomial())


def conditional_ratio(frame: pd.DataFrame) -> Ratio | None:
    """Odds ratio of arm 1 to arm 0 within strata (`group`) by conditional logistic regression.

    Source: Breslow and Day 1980, Statistical Methods in Cancer Research 1, 7. None where an arm
    has one outcome only within the strata that have both, and for strata over STRATUM trials.
    """
    mixed = frame.groupby("group")["y"].transform("nunique") == 2
    frame = frame[mixed]
    if frame.empty or _one_sided(frame) or frame["group"].value_counts().max() > STRATUM:
        return None
    model = ConditionalLogit(
        frame["y"].to_numpy(dtype=float),
        frame[["arm"]].to_numpy(dtype=float),
        groups=pd.factorize(frame["group"], sort=True)[0],
    )
    return _only(model.fit(disp=False))


def hazard_ratio(frame: pd.DataFrame) -> Ratio | None:
    """Hazard ratio of arm 1 to arm 0, proportional hazards (Efron ties), clustered by task.

    frame: columns task, arm (0, 1), turns, event. Source: Efron 1977, J. Am. Stat. Assoc. 72:557;
    Lin and Wei 1989, same 84:1074. None for fewer than three clusters, an arm without an event, or
    no finite estimate (one arm always resumed first). Written out over counts of equal trials:
    statsmodels' PHReg walks over them one by one, and has no errors where a trial was given up
    before the first event; elsewhere it gives the same.
    """
    events = frame[frame["event"].astype(bool)].groupby("arm").size()
    if frame["task"].nunique() < 3 or set(events.index) != {0.0, 1.0}:
        return None
    if frame["turns"].nunique() < 2:
        return None
    at_risk, died = _by_turn(frame)
    (n0, n1), (d0, d1) = at_risk.sum(axis=0), died.sum(axis=0)
    ties = (d0 + d1).astype(int)
    turn = np.repeat(np.arange(len(ties)), ties)
    gone = (np.arange(len(turn)) - np.repeat(np.cumsum(ties) - ties, ties)) / ties[turn]
    left0, left1 = (n[turn] - gone * d[turn] for n, d in ((n0, d0), (n1, d1)))

    def expected(log_ratio: float) -> np.ndarray:
        """At each event, the chance that it was of arm 1."""
        weight = math.exp(log_ratio) * left1
        return weight / (left0 + weight)

    def score(log_ratio: float) -> float:
        return float(d1.sum() - expected(log_ratio).sum())

    if not score(-STEEPEST) > 0 > score(STEEPEST):
        return None
    found = float(brentq(score, -STEEPEST, STEEPEST, xtol=1e-12))
    chances = expected(found)
    hazards = np.array([[1.0], [math.exp(found)]])
    total = (hazards * np.stack([n0, n1])).sum(axis=0)
    martingale = died - at_risk * hazards * ties / total
    leverage = np.array([[0.0], [1.0]]) - hazards[1] * n1 / total
    scores = (leverage * martingale).sum(axis=(1, 2))
    error = math.sqrt((scores**2).sum()) / (chances * (1 - chances)).sum()
    if not error**2 > NO_SPREAD:
        return None
    low, high = norm.interval(LEVEL, found, error)
    return _ratio(found, (low, high), 2 * norm.sf(abs(found) / error))


def _by_turn(frame: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Trials at risk, and events, by task, arm, and turn at which anything happened."""
    turns, event = frame["turns"].to_numpy(dtype=float), frame["event"].to_numpy(dtype=bool)
    tasks, arms = pd.factorize(frame["task"])[0], frame["arm"].to_numpy(dtype=int)
    when = np.unique(turns[event])
    over = np.searchsorted(when, turns, side="right")  # turns at which the trial was at risk
    shape = (tasks.max() + 1, 2, len(when) + 1)
    place = np.ravel_multi_index((tasks, arms, over), shape)
    ended, died = (
        np.bincount(chosen, minlength=math.prod(shape)).reshape(shape)[..., 1:].astype(float)
        for chosen in (place, place[event])
    )
    return ended[..., ::-1].cumsum(axis=-1)[..., ::-1], died


def count_ratio(frame: pd.DataFrame) -> Ratio | None:
    """Ratio of mean counts by Poisson GEE, exchangeable, bias-reduced errors.

    frame: columns y, arm (0, 1), group. Source: Liang and Zeger 1986, Biometrika 73:13. None for
    fewer than three clusters, an arm whose counts are all 0, or one count only.
    """
    sums = frame.groupby("arm")["y"].sum()
    if frame["group"].nunique() < 3 or len(sums) < 2 or (sums == 0).any():
        return None
    if frame["y"].nunique() < 2:
        return None
    return _gee(frame, Poisson())


def mean_ratio(logs: Sequence[float]) -> Ratio | None:
    """Geometric mean of ratios given as logs, with its t interval. None for n < 3 or no spread."""
    x = np.asarray(logs, dtype=float)
    if len(x) < 3 or not has_spread(x):
        return None
    fit = OLS(x, np.ones_like(x)).fit()
    return _only(fit)


def _gee(frame: pd.DataFrame, family: Any) -> Ratio | None:
    """The coefficient of the arm.

    Exchangeable with bias-reduced errors, whose cost grows with the square and the cube of the
    clusters. With MANY clusters the bias is nothing: robust errors. In clusters over LARGE trials
    the working correlation is independence, under which the estimate is as consistent.
    """
    codes = pd.factorize(frame["group"], sort=True)[0]
    sizes = np.bincount(codes)
    large = sizes.max() > LARGE
    working = Independence() if large else Exchangeable()
    design = add_constant(frame["arm"].to_numpy(dtype=float))
    y = frame["y"].to_numpy(dtype=float)
    model = GEE(y, design, groups=codes, family=family, cov_struct=working)
    try:
        with np.errstate(divide="raise", invalid="raise"), warnings.catch_warnings():
            warnings.simplefilter("error", IterationLimitWarning)
            fit = model.fit(cov_type="robust" if large or len(sizes) > MANY else "bias_reduced")
    except (FloatingPointError, IterationLimitWarning):
        return None  # trials of a task all agree, or all differ: no correlation to work with
    if not fit.cov_params()[1, 1] > NO_SPREAD:
        return None
    # of this coefficient alone: where the base has no spread, the other's error is not to be had
    test = fit.t_test([0, 1])
    return _ratio(test.effect[0], test.conf_int(alpha=1 - LEVEL)[0], test.pvalue)


def _one_sided(frame: pd.DataFrame) -> bool:
    return frame["arm"].nunique() < 2 or frame.groupby("arm")["y"].nunique().min() < 2


def _only(fit: Any) -> Ratio | None:
    """The one coefficient of a fit."""
    return _ratio(fit.params[0], np.asarray(fit.conf_int(alpha=1 - LEVEL))[0], fit.pvalues[0])


def _ratio(value: float, ends: Sequence[float], p: float) -> Ratio | None:
    """An estimate on the log scale, as a ratio."""
    numbers, p = [float(np.exp(v)) for v in (value, *ends)], float(p)
    return Ratio(*numbers, p) if all(map(math.isfinite, [*numbers, p])) else None
