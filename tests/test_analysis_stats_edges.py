"""The plan's statistics at their edges: few tasks, two groups, unknown parts, no warnings."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from analysis import stats
from analysis.stats import Interval


@pytest.fixture(autouse=True)
def no_warning() -> Iterator[None]:
    """Whatever a library warns of, is handled; users see none of it."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.fixture
def pairs() -> pd.DataFrame:
    """Two prefixes of five tasks; the last two tasks are of one codebase."""
    rows = [
        {"task": f"t{i}", "prefix_id": f"t{i}/{k}", "codebase": f"c{min(i, 3)}", "d": d}
        for i, ds in enumerate([(1, 0), (1, 1), (0, 0), (0, -1), (1, 0)])
        for k, d in enumerate(ds)
    ]
    return pd.DataFrame(rows)


def test_a_difference_has_all_its_parts(pairs: pd.DataFrame) -> None:
    d = np.array([0.5, 1.0, 0.0, -0.5, 0.5])
    codebases = pd.Series(["c0", "c1", "c2", "c3", "c3"])
    assert stats.paired_difference(pairs) == stats.Difference(
        estimate=pytest.approx(0.3),
        interval=stats.mean_interval(d),
        bca=stats.bca(d),
        by_codebase=stats.clustered_interval(pd.Series(d), codebases),
        without_one=Interval(pytest.approx(0.125), pytest.approx(0.5)),
        p=stats.sign_flip(d),
        visible=stats.smallest_visible(d),
        n_tasks=5,
        n_codebases=4,
        n_pairs=10,
        plus=4,
        minus=1,
    )
    strict = stats.paired_difference(pairs, alpha=0.01)
    assert strict.visible == stats.smallest_visible(d, 0.01) > stats.smallest_visible(d)
    assert None not in (stats.bca(d), stats.clustered_interval(pd.Series(d), codebases))


def test_the_brief_form_is_the_same_estimate_and_interval(pairs: pd.DataFrame) -> None:
    whole = stats.paired_difference(pairs)
    assert stats.brief(pairs) == (whole.estimate, whole.interval)
    assert stats.brief(pairs[:0]) == stats.mean_of(np.array([])) == (None, None)
    assert stats.mean_of(np.array([0.5])) == (0.5, None)


def test_categories_that_do_not_occur_are_no_tasks(pairs: pd.DataFrame) -> None:
    kinds = {
        name: pd.CategoricalDtype([*pairs[name].unique(), "another"])
        for name in ("task", "prefix_id")
    }
    plain, typed = stats.task_means(pairs), stats.task_means(pairs.astype(kinds))
    assert typed["task"].tolist() == plain["task"].tolist() == ["t0", "t1", "t2", "t3", "t4"]
    assert typed["d"].tolist() == plain["d"].tolist()


@pytest.mark.parametrize(
    ("ends", "sign"),
    [
        (None, 0),
        (Interval(0.1, 0.3), 1),
        (Interval(-0.3, -0.1), -1),
        (Interval(-0.1, 0.1), 0),
        (Interval(0.0, 0.2), 0),
        (Interval(-0.2, 0.0), 0),
    ],
)
def test_the_sign_of_an_interval(ends: Interval | None, sign: int) -> None:
    assert stats.clear_sign(ends) == sign


def test_a_share_has_its_interval_within_zero_and_one() -> None:
    for n in range(1, 30):
        for k in range(n + 1):
            low, high = stats.wilson(k, n)
            assert 0 <= low <= k / n + 1e-12
            assert k / n - 1e-12 <= high <= 1


def test_a_p_value_is_within_zero_and_one() -> None:
    for b in range(9):
        for c in range(1, 9):
            assert 0 < stats.mcnemar_mid_p(b, c) <= 1
            assert 0 < stats.mcnemar_plain(b, c).p <= 1
    assert stats.mcnemar_plain(3, 0) == (pytest.approx(3.0), 1, pytest.approx(0.083265, abs=5e-7))
    assert stats.mcnemar_mid_p(1, 0) == pytest.approx(0.5)


def test_clusters_of_two_groups_by_hand() -> None:
    x = pd.Series([1.0, 0.0, 0.5, 0.0])
    ends = stats.clustered_interval(x, pd.Series(["b", "a", "b", "a"]))
    # Mean 0.375; sums of residuals -0.75 and 0.75; small-sample factor 2 / 1 * 3 / 3; t with 1 df.
    half = 12.706205 * math.sqrt(2 * (0.75**2 + 0.75**2)) / 4
    assert ends == pytest.approx((0.375 - half, 0.375 + half))


@pytest.mark.parametrize(
    ("values", "groups"),
    [
        ([1.0, 0.0, 0.5], ["a", "b", None]),
        ([1.0, 0.0, 0.5], ["a", "a", "a"]),
        ([0.5, 0.5, 0.5], ["a", "b", "c"]),
        ([1.0, 0.0, 1.0, 0.0], ["a", "a", "b", "b"]),  # the groups do not differ at all
        ([1.0], ["a"]),
    ],
)
def test_no_clustered_interval(values: list[float], groups: list[str | None]) -> None:
    assert stats.clustered_interval(pd.Series(values), pd.Series(groups)) is None


def test_each_group_in_turn_is_left_out() -> None:
    x = pd.Series([1.0, 0.0, 0.0, 0.5])
    groups = pd.Series(["a", "b", "b", "c"])
    assert stats.leave_one_out(x, groups) == pytest.approx((0.5 / 3, 0.75))
    assert stats.leave_one_out(x, groups.where(groups != "c")) is None
    assert stats.leave_one_out(x, pd.Series(["a"] * 4)) is None


def test_two_clusters_are_enough_for_the_score_test() -> None:
    rows = [
        {"group": group, "arm": arm, "y": y}
        for group, arm, ys in (("x", "a", (1, 1)), ("x", "b", (0, 1)), ("y", "a", (1, 0)))
        for y in ys
    ]
    rows += [{"group": "y", "arm": "b", "y": y} for y in (0, 0)]
    # Differences of one and one within the clusters: (1 + 1)^2 / (1 + 1).
    found = stats.gee_score(pd.DataFrame(rows))
    assert found == (pytest.approx(2.0), 1, pytest.approx(0.157299, abs=5e-7))
    assert type(found.statistic) is float and type(found.df) is int


def test_a_normalised_score_pairs_the_columns_of_a_task() -> None:
    empty = np.array([0.0, 0.1, 0.3, 0.2, 0.05])
    full = np.array([1.0, 0.6, 0.9, 0.5, 0.95])
    means = pd.DataFrame({"x": (empty + full) / 2, "empty": empty, "full": full})
    value, ends = stats.normalised(means)
    assert (value, *ends) == pytest.approx((0.5, 0.5, 0.5))


def test_a_normalised_interval_is_the_percentile_bootstrap_and_repeats() -> None:
    means = pd.DataFrame({"x": [0.0] * 6 + [0.2, 1.0], "empty": [0.0] * 8, "full": [1.0] * 8})
    draws = np.random.default_rng(5).choice(means["x"], (40_000, 8)).mean(axis=1)
    value, ends = stats.normalised(means)
    assert value == pytest.approx(0.15)
    assert ends == pytest.approx(np.quantile(draws, [0.025, 0.975]), abs=0.02)
    means["x"] += np.linspace(0, 0.1, 8) ** 2  # so that no two resamples are alike
    value, ends = stats.normalised(means)
    assert stats.normalised(means) == (value, ends)
    assert stats.normalised(means, seed=1) == (value, pytest.approx(ends, abs=0.02))


def test_a_normalised_score_of_two_tasks_has_an_interval() -> None:
    means = pd.DataFrame({"x": [0.25, 0.75], "empty": [0.0, 0.0], "full": [1.0, 1.0]})
    assert stats.normalised(means) == (0.5, Interval(0.25, 0.75))
    assert stats.normalised(means.assign(full=stats.MIN_SPAN))[0] == pytest.approx(5)
    assert stats.normalised(means.assign(full=[1.0, 0.0])) == (1.0, None)


@pytest.mark.parametrize(
    ("turns", "seen", "found"),
    [
        ([3], [True], (3.0, None, None)),
        ([3], [False], (None, None, None)),
        ([2, 2, 2], [True] * 3, (2.0, None, None)),
    ],
)
def test_median_survival(
    turns: list[int], seen: list[bool], found: tuple[float | None, ...]
) -> None:
    assert stats.median_survival(turns, seen) == found


def test_two_tasks_by_hand() -> None:
    assert stats.sign_flip([1.0, 0.5]) == 0.5  # of four signs two are as far from zero
    assert stats.sign_flip([1.0, -0.5]) == 1.0
    assert stats.mean_interval([0.0, 1.0]) == pytest.approx((0.5 - 6.353102, 0.5 + 6.353102))


def test_three_tasks_have_a_bootstrap_interval_and_two_have_none() -> None:
    low, high = stats.bca([0.0, 0.5, 1.0])
    assert 0 <= low < 0.5 < high <= 1
    uneven = np.geomspace(0.001, 1, 9)
    assert stats.bca(uneven) == stats.bca(uneven) != stats.bca(uneven, seed=1)
    assert stats.bca([0.0, 1.0]) is None
    assert stats.bca([0.5, 0.5, 0.5]) is None


@pytest.mark.parametrize("n", [2, 3, 4, 5, 12])
def test_what_is_visible_is_found_that_often(n: int) -> None:
    """In families of claims, too: the power at the difference told, by simulation."""
    values = np.arange(n, dtype=float)
    told = 0.0
    for claims in (1, 2, 5, 10, 50):
        alpha = 0.05 / claims
        visible = stats.smallest_visible(values, alpha)
        assert visible > told  # the stricter the test, the larger what it can see
        told = visible
        drawn = np.random.default_rng(claims).normal(told / values.std(ddof=1), 1, (40_000, n))
        found = scipy.stats.ttest_1samp(drawn, 0, axis=1).pvalue < alpha
        assert found.mean() == pytest.approx(stats.POWER, abs=0.008)  # four standard errors


def test_a_spread_beyond_all_numbers_is_not_visible() -> None:
    with np.errstate(over="ignore"):
        assert stats.smallest_visible([0.0, 1e300]) is None
