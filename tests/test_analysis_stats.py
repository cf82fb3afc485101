"""The plan's statistics against published numbers, and against data with a known truth."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis import stats

# Durkalski et al. 2003: thyroids of 21 patients under two methods. Patient -> number of pairs,
# and, where not zero, (pairs that only method one finds, pairs that only method two finds).
SIZES = (3, 3, 3, 1, 3, 4, 3, 2, 2, 1, 3, 2, 3, 2, 2, 3, 3, 3, 2, 1, 2)
DISCORDANT = {1: (0, 2), 2: (0, 1), 5: (0, 1), 9: (1, 0), 15: (0, 2), 18: (0, 1)}


@pytest.fixture
def thyroids() -> pd.DataFrame:
    rows = []
    for patient, size in enumerate(SIZES, start=1):
        b, c = DISCORDANT.get(patient, (0, 0))
        for d in [1] * b + [-1] * c + [0] * (size - b - c):
            rows.append({"task": f"p{patient:02d}", "prefix_id": f"{len(rows)}", "d": float(d)})
    return pd.DataFrame(rows).assign(codebase=lambda t: t["task"])


def pairs_of(tasks: dict[str, list[float]], codebases: dict[str, str] | None = None):
    rows = [
        {"task": task, "prefix_id": f"{task}/{i}", "d": d, "codebase": (codebases or {}).get(task)}
        for task, values in tasks.items()
        for i, d in enumerate(values)
    ]
    return pd.DataFrame(rows, columns=["task", "prefix_id", "d", "codebase"])


def test_wilson_published():
    assert stats.wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert stats.wilson(0, 20) == pytest.approx((0, 0.1611), abs=5e-5)
    assert stats.wilson(0, 0) is None


def test_mcnemar_published():
    plain = stats.mcnemar_plain(6, 16)
    assert math.sqrt(plain.statistic) == pytest.approx(2.132, abs=5e-4)
    assert plain.p == pytest.approx(0.033006, abs=5e-7)
    assert stats.mcnemar_mid_p(6, 16) == pytest.approx(0.034690, abs=5e-7)
    plain = stats.mcnemar_plain(121, 59)
    assert (plain.statistic, plain.p) == pytest.approx((21.35556, 3.815136e-6), rel=1e-6)


def test_mcnemar_without_discordant_pairs_is_unknown_and_p_never_exceeds_one():
    assert stats.mcnemar_plain(0, 0) is None
    assert stats.mcnemar_mid_p(0, 0) is None
    assert stats.mcnemar_mid_p(4, 4) == pytest.approx(1.0)
    assert stats.sign_flip([1.0, -1.0]) == 1.0


def test_holm_published_and_unknown_left_out():
    assert stats.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert stats.holm([0.01, None, 0.04]) == [pytest.approx(0.02), None, pytest.approx(0.04)]
    assert stats.holm([None]) == [None]


def test_thyroids_naive_finds_an_effect_and_clustered_does_not(thyroids):
    found = stats.paired_difference(thyroids)
    assert (found.plus, found.minus, found.n_pairs, found.n_tasks) == (1, 7, 51, 21)
    naive = stats.mcnemar_plain(found.plus, found.minus)
    assert naive.statistic == pytest.approx(4.5)
    assert naive.p == pytest.approx(0.0339, abs=5e-5)
    assert found.p == pytest.approx(0.159, abs=0.005)
    assert found.interval.low < 0 < found.interval.high


def test_thyroids_gee_score(thyroids):
    both = [
        {"group": row.task, "arm": arm, "y": y}
        for row in thyroids.itertuples()
        for arm, y in (("one", row.d >= 0), ("two", row.d <= 0))
    ]
    result = stats.gee_score(pd.DataFrame(both))
    assert result.df == 1
    assert (result.statistic, result.p) == pytest.approx((3.0, 0.0833), abs=5e-5)


def test_thyroids_clustered_t(thyroids):
    ends = stats.clustered_interval(thyroids["d"], thyroids["task"])
    assert thyroids["d"].mean() == pytest.approx(-0.1176, abs=5e-5)
    assert ends == pytest.approx((-0.2495, 0.0142), abs=5e-5)


def test_gee_score_of_several_arms_and_of_nothing_to_test():
    rows = [
        {"group": g, "arm": arm, "y": int((g * 7 + k) % 10 < cut)}
        for g in range(10)
        for k in range(4)
        for arm, cut in (("a", 3), ("b", 6), ("c", 9))
    ]
    frame = pd.DataFrame(rows)
    result = stats.gee_score(frame)
    # Obuchowski's form by hand: t' (sum of d d')^-1 t, d = differences to arm c within a cluster.
    sums = frame.pivot_table(index="group", columns="arm", values="y", aggfunc="sum")
    d = sums[["a", "b"]].to_numpy() - sums[["c"]].to_numpy()
    by_hand = d.sum(axis=0) @ np.linalg.solve(d.T @ d, d.sum(axis=0))
    assert result.df == 2
    assert result.statistic == pytest.approx(by_hand)
    assert stats.gee_score(frame.assign(y=1)) is None
    assert stats.gee_score(frame.assign(arm="a")) is None
    assert stats.gee_score(frame.assign(group=1)) is None


def test_each_task_weighs_the_same_and_each_prefix_within_it():
    one = pd.DataFrame(
        {
            "task": ["a", "a", "a", "b"],
            "prefix_id": ["a/1", "a/1", "a/2", "b/1"],
            "d": [1.0, 0.0, 0.0, -1.0],
            "codebase": ["x", "x", "x", "y"],
        }
    )
    assert stats.task_means(one)["d"].tolist() == [0.25, -1.0]
    assert stats.paired_difference(one).estimate == pytest.approx(-0.375)


def test_interval_is_the_t_interval_of_the_task_means():
    means = [0.5, 0.25, 0.0, 0.75, 0.5]
    half = 2.776445105 * np.std(means, ddof=1) / math.sqrt(5)  # t table, 4 degrees of freedom
    assert stats.mean_interval(means) == pytest.approx((0.4 - half, 0.4 + half))


def test_leave_one_codebase_out():
    found = stats.paired_difference(
        pairs_of({"a": [1.0], "b": [0.0], "c": [0.5]}, {"a": "x", "b": "x", "c": "y"})
    )
    assert found.without_one == (0.5, 0.5)
    assert found.n_codebases == 2
    found = stats.paired_difference(pairs_of({"a": [1.0], "b": [0.0]}, {"a": "x", "b": "y"}))
    assert found.without_one == (0.0, 1.0)


@pytest.mark.parametrize(
    "tasks",
    [{}, {"a": [1.0]}, {"a": [1.0, 0.0]}, {"a": [0.0], "b": [0.0]}, {"a": [1.0], "b": [1.0]}],
    ids=["none", "one", "one task, two prefixes", "all alike", "all gained"],
)
def test_what_cannot_be_known_is_none(tasks):
    found = stats.paired_difference(pairs_of(tasks))
    assert found.interval is None
    assert found.bca is None
    assert found.by_codebase is None
    assert found.without_one is None
    assert found.visible is None
    assert (found.estimate is None) == (not tasks)
    assert (found.p is None) == (len(tasks) < 2)


def test_sign_flip_is_exact_for_few_clusters_and_repeats_for_many():
    assert stats.sign_flip([1, 1, 1, 1, 1]) == pytest.approx(2 / 2**5)
    assert stats.sign_flip([1, 1, 1, 1, 1, 0, 0]) == pytest.approx(2 / 2**5)
    assert stats.sign_flip([0.0, 0.0]) == 1.0
    many = np.random.default_rng(1).normal(0.3, 1, 30)
    assert stats.sign_flip(many) == stats.sign_flip(many)
    assert 0 < stats.sign_flip(many) <= 1


def test_bca_repeats_and_leans_with_the_data():
    skewed = [0.0] * 12 + [0.25, 0.25, 0.5, 1.0]
    ends = stats.bca(skewed)
    mean = float(np.mean(skewed))
    assert ends == stats.bca(skewed)
    assert ends.low < mean < ends.high
    assert ends.high - mean > mean - ends.low


def test_smallest_visible_published():
    # Cohen: a one-sample t test needs 34 cases for d = 0.5 with power 0.8 at 0.05, two-sided.
    unit = [1.0, -1.0] * 17
    scale = float(np.std(unit, ddof=1))
    assert stats.smallest_visible(unit) / scale == pytest.approx(0.5, abs=0.006)
    assert stats.smallest_visible(unit) < 0.5 * scale < stats.smallest_visible(unit[:33])
    assert stats.smallest_visible(unit, alpha=0.025) > stats.smallest_visible(unit)


def test_normalised_score():
    means = pd.DataFrame({"x": [0.5, 0.75, 0.5], "empty": [0.25, 0, 0.25], "full": [1, 1, 0.75]})
    value, ends = stats.normalised(means)
    assert value == pytest.approx((1.75 - 0.5) / (2.75 - 0.5))
    assert ends.low <= value <= ends.high
    assert stats.normalised(means.assign(full=means["empty"] + 0.05)) == (None, None)
    assert stats.normalised(means.assign(full=0.0)) == (None, None)
    assert stats.normalised(means[:0]) == (None, None)
    value, ends = stats.normalised(means[:1])
    assert value == pytest.approx(1 / 3)
    assert ends is None


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("full", [[1.0, 0.0], [0.3, 0.1 + 0.2 - 0.3], [0.5, -0.1, 0.1, 0.9]])
def test_normalised_interval_is_blank_where_a_resample_has_no_denominator(full):
    means = pd.DataFrame({"x": 0.5, "empty": 0.0, "full": full})
    value, ends = stats.normalised(means)
    assert value == pytest.approx(0.5 / np.mean(full))
    assert ends is None


@pytest.mark.filterwarnings("error")
@given(st.lists(st.tuples(*[st.sampled_from([0.0, 0.25, 0.5, 1.0])] * 3), max_size=4))
def test_few_tasks_of_any_outcome_give_no_warning(rows):
    means = pd.DataFrame(rows, columns=["x", "empty", "full"], dtype=float)
    value, ends = stats.normalised(means)
    assert ends is None or (value is not None and ends.low <= ends.high)
    d = means["x"].to_numpy() - means["empty"].to_numpy()
    for found in (stats.bca(d), stats.mean_interval(d)):
        assert found is None or found.low <= d.mean() <= found.high
    assert stats.sign_flip(d) is None or 0 < stats.sign_flip(d) <= 1


def test_median_survival():
    median, low, high = stats.median_survival([1, 1, 2, 3, 15], [True, True, True, True, False])
    assert (median, low) == (2.0, 1.0)
    assert high is None
    assert stats.median_survival([15, 15], [False, False]) == (None, None, None)
    assert stats.median_survival([], []) == (None, None, None)


def test_clusters_matter_under_strong_spread():
    """No effect on average, tasks pull either way: the naive test cries wolf, ours does not."""
    draw = np.random.default_rng(7)
    naive = clustered = covered = 0
    repeats = 200
    for _ in range(repeats):
        pull = draw.normal(0, 0.3, 12)
        arm, base = (
            draw.random((12, 8)) < np.clip(0.6 + side * pull[:, None], 0, 1) for side in (0.5, -0.5)
        )
        d = arm.astype(float) - base
        ends = stats.mean_interval(d.mean(axis=1))
        covered += ends.low <= 0 <= ends.high
        naive += stats.mcnemar_plain(int((d > 0).sum()), int((d < 0).sum())).p < 0.05
        clustered += stats.sign_flip(d.mean(axis=1)) < 0.05
    assert naive / repeats > 0.10
    assert clustered / repeats < 0.09
    assert 0.90 < covered / repeats < 0.99
