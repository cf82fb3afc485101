"""Ratios of one arm to another with their intervals: odds, hazards, counts, sizes.

Whatever cannot be computed is None, as in `stats`.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import statsmodels.api as sm
from statsmodels.discrete.conditional_models import ConditionalLogit
from statsmodels.tools.sm_exceptions import ConvergenceWarning

from analysis.stats import LEVEL, has_spread


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
    codes = pd.factorize(frame["group"], sort=True)[0]
    design = sm.add_constant(frame["arm"].to_numpy(dtype=float))
    model = sm.GEE(
        frame["y"].to_numpy(dtype=float),
        design,
        groups=codes,
        family=sm.families.Binomial(),
        cov_struct=sm.cov_struct.Exchangeable(),
    )
    return _ratio(model.fit(cov_type="bias_reduced"), 1)


def conditional_ratio(frame: pd.DataFrame) -> Ratio | None:
    """Odds ratio of arm 1 to arm 0 within strata (`group`) by conditional logistic regression.

    Source: Breslow and Day 1980, Statistical Methods in Cancer Research 1, 7. None where an arm
    has one outcome only within the strata that have both.
    """
    mixed = frame.groupby("group")["y"].transform("nunique") == 2
    frame = frame[mixed]
    if frame.empty or _one_sided(frame):
        return None
    model = ConditionalLogit(
        frame["y"].to_numpy(dtype=float),
        frame[["arm"]].to_numpy(dtype=float),
        groups=pd.factorize(frame["group"], sort=True)[0],
    )
    return _ratio(model.fit(disp=False), 0)


def hazard_ratio(frame: pd.DataFrame) -> Ratio | None:
    """Hazard ratio of arm 1 to arm 0, proportional hazards (Efron ties), clustered by task.

    frame: columns task, arm (0, 1), turns, event. Source: Lin and Wei 1989, J. Am. Stat. Assoc.
    84:1074. None for fewer than three clusters, an arm without an event, or no finite estimate.
    """
    events = frame[frame["event"].astype(bool)].groupby("arm").size()
    if frame["task"].nunique() < 3 or set(events.index) != {0.0, 1.0}:
        return None
    if frame["turns"].nunique() < 2:
        return None
    model = sm.PHReg(
        frame["turns"].to_numpy(dtype=float),
        frame[["arm"]].to_numpy(dtype=float),
        status=frame["event"].to_numpy(dtype=int),
        ties="efron",
    )
    codes = pd.factorize(frame["task"], sort=True)[0]
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("error", ConvergenceWarning)
            return _ratio(model.fit(groups=codes), 0)
    except ConvergenceWarning:  # one arm always resumed first: the ratio has no finite estimate
        return None


def count_ratio(frame: pd.DataFrame) -> Ratio | None:
    """Ratio of mean counts by Poisson GEE, exchangeable, bias-reduced errors.

    frame: columns y, arm (0, 1), group. Source: Liang and Zeger 1986, Biometrika 73:13. None for
    fewer than three clusters or an arm whose counts are all 0.
    """
    sums = frame.groupby("arm")["y"].sum()
    if frame["group"].nunique() < 3 or len(sums) < 2 or (sums == 0).any():
        return None
    model = sm.GEE(
        frame["y"].to_numpy(dtype=float),
        sm.add_constant(frame["arm"].to_numpy(dtype=float)),
        groups=pd.factorize(frame["group"], sort=True)[0],
        family=sm.families.Poisson(),
        cov_struct=sm.cov_struct.Exchangeable(),
    )
    return _ratio(model.fit(cov_type="bias_reduced"), 1)


def mean_ratio(logs: Sequence[float]) -> Ratio | None:
    """Geometric mean of ratios given as logs, with its t interval. None for n < 3 or no spread."""
    x = np.asarray(logs, dtype=float)
    if len(x) < 3 or not has_spread(x):
        return None
    fit = sm.OLS(x, np.ones_like(x)).fit()
    return _ratio(fit, 0)


def _one_sided(frame: pd.DataFrame) -> bool:
    return frame["arm"].nunique() < 2 or frame.groupby("arm")["y"].nunique().min() < 2


def _ratio(fit: Any, at: int) -> Ratio | None:
    """The coefficient `at` of a fit on the log scale, as a ratio."""
    low, high = np.asarray(fit.conf_int(alpha=1 - LEVEL))[at]
    numbers = [float(np.exp(v)) for v in (np.asarray(fit.params)[at], low, high)]
    p = float(np.asarray(fit.pvalues)[at])
    return Ratio(*numbers, p) if all(map(math.isfinite, [*numbers, p])) else None
