"""The registered analysis plan, with scipy and statsmodels.

One estimand throughout: the difference of a verdict within a prefix, averaged within the prefix,
then within the task, then over tasks, so that each task weighs the same. Whatever cannot be
computed is None, never 0 and never NaN.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats
from scipy.optimize import brentq
from scipy.special import ndtr
from statsmodels.duration.survfunc import SurvfuncRight
from statsmodels.genmod.cov_struct import Independence
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_estimating_equations import GEE
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

SEED = 20240527
RESAMPLES = 9999
LEVEL = 0.95
POWER = 0.8
MIN_SPAN = 0.10
"""Below this distance between `full` and `empty` the normalised score is blank."""


class Interval(NamedTuple):
    """Two ends, on the scale of the estimate."""

    low: float
    high: float


class Test(NamedTuple):
    """A test statistic, its degrees of freedom and its p value in [0, 1]."""

    statistic: float
    df: int
    p: float


@dataclass(frozen=True)
class Difference:
    """A paired difference in shares (-1 to 1) and how sure it is.

    interval: t, on task means. bca: bootstrap over tasks. by_codebase: cluster-robust over
    codebases. without_one: range of the estimate when each codebase in turn is left out.
    p: two-sided sign-flip over tasks. visible: smallest difference found with POWER.
    plus, minus: pairs in which only the arm, only the base, has the verdict.
    """

    estimate: float | None
    interval: Interval | None
    bca: Interval | None
    by_codebase: Interval | None
    without_one: Interval | None
    p: float | None
    visible: float | None
    n_tasks: int
    n_codebases: int
    n_pairs: int
    plus: int
    minus: int


def wilson(k: int, n: int) -> Interval | None:
    """Wilson score interval of k successes in n, 95 %. None for n = 0.

    Source: Wilson 1927, J. Am. Stat. Assoc. 22:209. It takes trials as independent.
    """
    if n == 0:
        return None
    low, high = proportion_confint(k, n, alpha=1 - LEVEL, method="wilson")
    return Interval(max(0.0, float(low)), min(1.0, float(high)))


def task_means(pairs: pd.DataFrame) -> pd.DataFrame:
    """Columns task, codebase, d: differences averaged within prefix, then within task.

    pairs: one row per pair with columns task, codebase, prefix_id, d.
    """
    means = {"codebase": ("codebase", "first"), "d": ("d", "mean")}
    prefixes = pairs.groupby(["task", "prefix_id"], observed=True).agg(**means)
    return prefixes.groupby("task", observed=True).agg(**means).reset_index()


def paired_difference(pairs: pd.DataFrame, alpha: float = 1 - LEVEL) -> Difference:
    """All that the plan asks of one comparison. pairs: as for `task_means`.

    alpha: level at which `visible` is computed (a family of m claims uses alpha / m).
    """
    means = task_means(pairs)
    d = means["d"].to_numpy(dtype=float)
    return Difference(
        estimate=float(d.mean()) if len(d) else None,
        interval=mean_interval(d),
        bca=bca(d),
        by_codebase=clustered_interval(means["d"], means["codebase"]),
        without_one=leave_one_out(means["d"], means["codebase"]),
        p=sign_flip(d),
        visible=smallest_visible(d, alpha),
        n_tasks=len(d),
        n_codebases=int(means["codebase"].nunique()),
        n_pairs=len(pairs),
        plus=int((pairs["d"] > 0).sum()),
        minus=int((pairs["d"] < 0).sum()),
    )


def brief(pairs: pd.DataFrame) -> tuple[float | None, Interval | None]:
    """Estimate and t interval alone, where a comparison is made many times over."""
    return mean_of(task_means(pairs)["d"].to_numpy(dtype=float))


def mean_of(values: np.ndarray) -> tuple[float | None, Interval | None]:
    """Mean of task means with its t interval."""
    return (float(values.mean()), mean_interval(values)) if len(values) else (None, None)


def clear_sign(ends: Interval | None) -> int:
    """1 for an interval wholly above zero, -1 wholly below, 0 with zero within or unknown."""
    return 0 if ends is None else int(ends.low > 0) - int(ends.high < 0)


def sign_flip(values: Sequence[float], seed: int = SEED) -> float | None:
    """Two-sided p of the mean under random signs of the cluster values. None for n < 2.

    Clusters at zero are left out: their sign changes nothing. Exact up to 13 others, else with
    RESAMPLES draws. Source: Fisher 1935, Design of Experiments, 21; Good 2005, 3.2.
    """
    x = np.asarray(values, dtype=float)
    if len(x) < 2:
        return None
    x = x[np.abs(x) > 1e-12]
    if len(x) < 2:  # either sign is as far from zero as the other
        return 1.0
    result = stats.permutation_test(
        (x,),
        np.mean,
        permutation_type="samples",
        n_resamples=RESAMPLES,
        vectorized=True,
        rng=np.random.default_rng(seed),
    )
    return min(1.0, float(result.pvalue))


def mean_interval(values: Sequence[float]) -> Interval | None:
    """t interval of the mean. None for n < 2, and where all values are equal: without spread
    the method would claim a certainty that it has no means to know."""
    x = np.asarray(values, dtype=float)
    if not has_spread(x):
        return None
    fit = OLS(x, np.ones_like(x)).fit()  # the plan's `d ~ 1`, without parsing a formula
    return _ends(*fit.conf_int(alpha=1 - LEVEL)[0])


def clustered_interval(values: pd.Series, groups: pd.Series) -> Interval | None:
    """t interval of the mean with errors clustered by `groups` (G - 1 degrees of freedom).

    Source: Liang and Zeger 1986, Biometrika 73:13. None for fewer than two groups, an unknown
    group, or no spread. With few groups it is optimistic.
    """
    x = values.to_numpy(dtype=float)
    if groups.isna().any() or groups.nunique() < 2 or not has_spread(x):
        return None
    codes = pd.factorize(groups, sort=True)[0]
    model = OLS(x, np.ones_like(x))
    fit = model.fit(cov_type="cluster", cov_kwds={"groups": codes}, use_t=True)
    low, high = fit.conf_int(alpha=1 - LEVEL)[0]
    return _ends(low, high) if high > low else None


def bca(values: Sequence[float], seed: int = SEED) -> Interval | None:
    """BCa bootstrap interval of the mean over clusters. None for n < 3 or no spread.

    Source: Efron 1987, J. Am. Stat. Assoc. 82:171.
    """
    x = np.asarray(values, dtype=float)
    if len(x) < 3 or not has_spread(x):
        return None
    result = stats.bootstrap(
        (x,),
        np.mean,
        n_resamples=RESAMPLES,
        confidence_level=LEVEL,
        method="BCa",
        rng=np.random.default_rng(seed),
    )
    return _ends(*result.confidence_interval)


def leave_one_out(values: pd.Series, groups: pd.Series) -> Interval | None:
    """Lowest and highest mean when each group in turn is left out. None for fewer than two."""
    if groups.isna().any() or groups.nunique() < 2:
        return None
    means = [float(values[groups != group].mean()) for group in sorted(groups.unique())]
    return Interval(min(means), max(means))


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Holm-adjusted p values of one family; None (no test was possible) stays None.

    Source: Holm 1979, Scand. J. Stat. 6:65.
    """
    known = [p for p in ps if p is not None]
    if len(known) < 2:
        return list(ps)
    adjusted = iter(multipletests(known, method="holm")[1])
    return [None if p is None else float(next(adjusted)) for p in ps]


def mcnemar_plain(b: int, c: int) -> Test | None:
    """McNemar chi-square of b against c discordant pairs, no correction, clusters ignored.

    Source: McNemar 1947, Psychometrika 12:153. Shown to tell what ignoring clusters would do.
    """
    if b + c == 0:
        return None
    result = mcnemar([[0, b], [c, 0]], exact=False, correction=False)
    return Test(float(result.statistic), 1, float(result.pvalue))


def mcnemar_mid_p(b: int, c: int) -> float | None:
    """Exact McNemar p less half the probability of what was seen.

    Source: Fagerland, Lydersen, Laake 2013, BMC Med. Res. Methodol. 13:91.
    """
    if b + c == 0:
        return None
    half = stats.binom(b + c, 0.5)
    return min(1.0, float(2 * half.cdf(min(b, c)) - half.pmf(min(b, c))))


def gee_score(frame: pd.DataFrame) -> Test | None:
    """Score test that all arms have the same rate, clustered. frame: columns y, arm, group.

    Logistic GEE, independence working correlation: Obuchowski's clustered McNemar test up to the
    factor K / (K - 1). Source: Obuchowski 1998, Stat. Med. 17:1495; Rotnitzky and Jewell 1990,
    Biometrika 77:485. None for one arm, fewer than two clusters, or one outcome only.
    """
    if frame["arm"].nunique() < 2 or frame["group"].nunique() < 2 or frame["y"].nunique() < 2:
        return None
    arms, codes = (pd.factorize(frame[name], sort=True)[0] for name in ("arm", "group"))
    design = np.eye(arms.max() + 1)[arms]
    design[:, 0] = 1.0  # the intercept: arms are told as differences to the first
    y = frame["y"].to_numpy(dtype=float)
    given = {"groups": codes, "family": Binomial()}
    given["cov_struct"] = Independence()
    null = GEE(y, design[:, :1], **given).fit()
    try:
        result = GEE(y, design, **given).compare_score_test(null)
    except np.linalg.LinAlgError:
        return None
    if result is None or not math.isfinite(result["p-value"]):
        return None
    return Test(float(result["statistic"]), int(result["df"]), float(result["p-value"]))


def smallest_visible(values: Sequence[float], alpha: float = 1 - LEVEL) -> float | None:
    """Smallest mean that a two-sided one-sample t test over n clusters finds with power 0.8:
    delta * sd, where delta solves the power of the test for n and alpha, and sd is the spread of
    the cluster values seen. Source: Cohen 1988, 2.3. None for n < 2 or no spread.
    """
    x = np.asarray(values, dtype=float)
    if not has_spread(x):
        return None
    # scipy's non-central t, and the power statsmodels takes from it, fail silently for few
    # clusters and small alphas; so the normal tails are averaged over the spread's distribution.
    shares = (np.arange(2000) + 0.5) / 2000
    spread = np.sqrt(stats.chi2.ppf(shares, len(x) - 1) / (len(x) - 1))
    bar = stats.t.isf(alpha / 2, len(x) - 1) * spread

    def missing(shift: float) -> float:
        return POWER - float(np.mean(ndtr(shift - bar) + ndtr(-shift - bar)))

    shift = brentq(missing, 0.0, bar.max() + 9)  # nine standard errors above every bar
    found = shift / math.sqrt(len(x)) * float(x.std(ddof=1))
    return found if math.isfinite(found) else None


def normalised(means: pd.DataFrame, seed: int = SEED) -> tuple[float | None, Interval | None]:
    """(x - empty) / (full - empty) from task means, with a percentile bootstrap over tasks.

    means: one row per task, columns x, empty, full. Both None where full - empty < MIN_SPAN; the
    interval is None for fewer than two tasks or where a resample has no denominator.
    """
    x, empty, full = (means[name].to_numpy(dtype=float) for name in ("x", "empty", "full"))
    if len(means) == 0 or full.mean() - empty.mean() < MIN_SPAN:
        return None, None
    value = float((x.mean() - empty.mean()) / (full.mean() - empty.mean()))
    if len(means) < 2:
        return value, None
    picked = np.random.default_rng(seed).integers(0, len(means), (RESAMPLES, len(means)))
    gains, spans = ((side - empty)[picked].mean(axis=1) for side in (x, full))
    if np.abs(spans).min() < 1e-12:  # scipy's bootstrap would give not a number, and a warning
        return value, None
    tail = (1 - LEVEL) / 2
    return value, _ends(*np.quantile(gains / spans, [tail, 1 - tail]))


def median_survival(
    turns: Sequence[int], seen: Sequence[bool]
) -> tuple[float | None, float | None, float | None]:
    """Kaplan-Meier median and the ends of its 95 % interval, not clustered; None: not reached.

    turns: turn of the event, or the last turn followed. seen: whether the event happened.
    Source: Brookmeyer and Crowley 1982, Biometrics 38:29.
    """
    if len(turns) == 0:
        return None, None, None
    curve = SurvfuncRight(np.asarray(turns, dtype=float), np.asarray(seen, dtype=int))
    with np.errstate(divide="ignore", invalid="ignore"):  # at shares of 0 and 1
        values = (curve.quantile(0.5), *curve.quantile_ci(0.5))
    median, low, high = (float(v) if math.isfinite(v) else None for v in values)
    return median, low, high


def has_spread(x: np.ndarray) -> bool:
    """Whether there are two values that differ."""
    return len(x) >= 2 and float(np.ptp(x)) > 1e-12


def _ends(low: float, high: float) -> Interval | None:
    if not (math.isfinite(low) and math.isfinite(high)):
        return None
    return Interval(float(low), float(high))
