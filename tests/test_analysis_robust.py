"""Other ways of asking, designs with more than two arms, and effort: numbers worked out by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import synthetic
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.duration.hazard_regression import PHReg

from analysis import compare, curves, factors, frames, pairs, power, ratios, recovery, robust, stats
from analysis.claims import measure
from analysis.table import Table


def columns_of(table: Table, *names: str) -> list[tuple[str, ...]]:
    at = [table.columns.index(name) for name in names]
    return [tuple(row.cells[i].shown for i in at) for row in table.rows]


def four(task: str, outcomes: str, **changes) -> list[dict]:
    """Records of bare, long_mem, engram, combined; a 0 in `outcomes` fails its sub-goals."""
    arms = ("bare", "long_mem", "engram", "combined")
    return [
        synthetic.record(task, arm, failed=[] if won == "1" else ["subgoals"], **changes)
        for arm, won in zip(arms, outcomes, strict=True)
    ]


def test_weightings_hold_both_headline_verdicts():
    records = synthetic.study(6, rates={"engram": 0.9, "bare": 0.4})
    f = frames.build(records)
    found = dict(zip(robust.weightings_of(), robust.weighted_differences(f, "engram"), strict=True))
    assert len(found) == 32
    assert found[()][0] == 0.0
    for verdict, high in (
        ("continued", ("constraints", "file_paths", "subgoals")),
        ("continued_strict", frames.VERDICT_ITEMS),
    ):
        rows = pairs.pairs(f.trials, "engram", "bare", verdict)
        assert found[high][:2] == stats.brief(rows)
    assert len(robust.weightings(f).rows) == 32


def test_an_item_that_was_not_established_does_not_fail_a_weighting():
    records = [synthetic.record(t, arm) for t in "ab" for arm in ("bare", "engram")]
    for record in records:
        record["windows"]["registered"]["items"]["naming"]["passed"] = None
    trials = robust.with_verdicts(frames.build(records).trials)
    assert trials[[f"w{i}" for i in range(32)]].all(axis=None)


def test_one_left_out_by_hand():
    outcomes = {"a": (0, 1), "b": (0, 1), "c": (1, 1)}
    records = [
        synthetic.record(t, arm, failed=[] if won else ["subgoals"])
        for t, both in outcomes.items()
        for arm, won in zip(("bare", "engram"), both, strict=True)
    ]
    f = frames.build(records)
    found = robust.estimates(f, "engram")["one task left out"]
    assert found == pytest.approx([0.5, 0.5, 1.0])
    shown = dict(columns_of(robust.left_out(f), "left out", "engram - bare, points [95 %]"))
    assert shown["c"] == "+100.0 [n/a]"
    assert shown["a-base"].startswith("+50.0 [")


def test_tipping_point_needs_missing_trials_and_a_clear_sign():
    rates = {"engram": 9.0, "bare": -9.0}
    records = synthetic.study(8, arms=("bare", "engram"), rates=rates)
    for record in records:  # half of the tasks differ less, so that there is spread
        if record["task"] == "task_00" and record["arm"] == "bare":
            record |= synthetic.record("task_00", "bare", timing=record["timing"])
    claim = compare.Claim("engram", "bare", "continued", "A")
    assert not list(robust._missing(frames.build(records), claim))
    lost = [r for r in records if r["arm"] == "engram"][4:5]
    for record in lost:
        record |= synthetic.lost(
            record["task"], "engram", "invalid", "x", timing=record["timing"],
            codebase=record["codebase"], family=record["family"],
        )  # fmt: skip
    assert robust.tipping_point(frames.build(records), claim).startswith("none")
    same = frames.build(
        [*synthetic.study(4, arms=("bare",)), *synthetic.study(4, arms=("engram",))]
    )
    assert robust.tipping_point(same, claim) == "zero is within already"


def test_odds_ratios_against_the_closed_form():
    # one stratum of 2 x 2: 8 of 10 against 3 of 10, odds ratio 4 / (3 / 7)
    y = [1.0] * 8 + [0.0] * 2 + [1.0] * 3 + [0.0] * 7
    frame = pd.DataFrame({"y": y, "arm": [1.0] * 10 + [0.0] * 10})
    spread = frame.assign(group=[f"g{i % 5}" for i in range(20)])
    assert ratios.gee_ratio(spread).value == pytest.approx(4 / (3 / 7), rel=0.2)
    # the conditional estimate of pairs is the ratio of the discordant ones
    rows = [(x, 1.0, f"{n}") for n, x in enumerate([1.0] * 12 + [0.0] * 4)]
    rows += [(1 - x, 0.0, g) for x, _, g in rows]
    matched = pd.DataFrame(rows, columns=["y", "arm", "group"])
    found = ratios.conditional_ratio(matched)
    assert found.value == pytest.approx(3.0, rel=1e-4)
    half = 1.959964 * np.sqrt(1 / 12 + 1 / 4)
    assert np.log(found.high / found.value) == pytest.approx(half, rel=1e-3)


@pytest.mark.filterwarnings("error")
def test_no_ratio_of_arms_that_never_differ_within_a_cluster():
    """The error of the ratio is 0, or just below it: a square root of nothing."""
    rows = [(float((g + k) % 3 == 0), arm, g) for g in range(8) for k in range(3) for arm in (1, 0)]
    same = pd.DataFrame(rows, columns=["y", "arm", "group"], dtype=float)
    assert ratios.gee_ratio(same) is None
    assert ratios.count_ratio(same) is None
    # a base without spread takes nothing from an arm that has some
    one = same.assign(y=same["y"].mask(same.index == 0, 1 - same["y"]))
    for found in (ratios.gee_ratio(one), ratios.count_ratio(one)):
        assert found.low < found.value < found.high
        assert 0 < found.p < 1


@pytest.mark.filterwarnings("error")
def test_ratios_are_unknown_where_an_arm_has_one_outcome():
    frame = pd.DataFrame(
        {"y": [1.0, 1.0, 0.0, 1.0], "arm": [1.0, 1.0, 0.0, 0.0], "group": list("abab")}
    )
    assert ratios.gee_ratio(frame) is None
    assert ratios.conditional_ratio(frame) is None
    assert ratios.count_ratio(frame.assign(y=0.0)) is None
    assert ratios.mean_ratio([0.1, 0.1, 0.1]) is None


def test_interaction_by_hand():
    f = frames.build([*four("a", "0001"), *four("b", "0111"), *four("c", "0011")])
    table = factors.crossed(f, "continued")[0].set_index("task")
    assert table["d"].to_dict() == {"a": 1.0, "b": -1.0, "c": 0.0}
    assert table["memory"].to_dict() == {"a": 0.0, "b": 1.0, "c": 0.0}
    assert table["card_with_memory"].to_dict() == {"a": 1.0, "b": 0.0, "c": 1.0}
    row = factors.interaction(f).rows[0].cells
    assert len(row[5].trials) == 12
    assert row[5].shown.startswith("0.0 [")


def test_interaction_takes_only_prefixes_that_all_four_share():
    lone = four("b", "1111")
    lone[1] |= {"prefix_kind": "own", "prefix_hash": "else"}
    f = frames.build([*four("a", "0111"), *lone])
    assert factors.crossed(f, "continued")[0]["task"].tolist() == ["a"]


def test_variants_stand_beside_their_plain_form():
    arms = ("bare", "engram", "engram[fields=constraints]", "full")
    f = frames.build(synthetic.study(3, arms=arms))
    claims = compare.variants(f)
    assert {(c.arm, c.base) for c in claims} == {("engram[fields=constraints]", "engram")}


def in_a_row() -> list[dict]:
    records = []
    for index in (1, 2, 3):
        seam = {"index": index, "turn": 9 * index, "offset": 0, "done": ["a"], "open": ["b"]}
        for task in "ab":
            for arm in ("bare", "engram"):
                failed = ["constraints"] if arm == "bare" and index > 1 else []
                record = synthetic.record(task, arm, seam=seam, failed=failed)
                records.append(record | {"trial_id": f"{record['trial_id']}.{index}"})
    return records


def test_later_seams_are_a_table_of_their_own_and_never_pooled_with_the_first():
    f = frames.build(in_a_row())
    assert len(f.trials) == 4
    assert len(f.every_seam) == 12
    assert f.trials["pair_id"].nunique() == 2
    assert f.every_seam["pair_id"].nunique() == 6
    table = pairs.pairs(f.every_seam, "engram", "bare", "continued")
    assert table.groupby("d")["paired"].unique().map(list).to_dict() == {0.0: [True], 1.0: [False]}
    shown = columns_of(factors.seams(f), "strategy", "seam", "continued")
    assert [c[:3] for _, _, c in shown] == ["2/2", "0/2", "0/2", "2/2", "2/2", "2/2"]


def test_plots_that_need_more_than_a_run_has_are_left_out():
    one = frames.build(synthetic.study(3, timings=("mid",)))
    assert curves.timing_curve(one) is None
    assert curves.lost_by_seam(one) is None
    assert curves.timing_curve(frames.build(synthetic.study(3))) is not None
    assert curves.lost_by_seam(frames.build(in_a_row())) is not None


def test_a_trial_with_a_phase_of_unknown_tokens_has_no_cost():
    """What is unknown is not nothing: the mean is over the trials of which all is known."""
    used = {"input": 900, "cached": 0, "output": 100}
    whole = {"compaction": used, "window": used}
    part = {"compaction": used, "window": {"input": None, "cached": None, "output": None}}
    records = [
        synthetic.record(task, arm, tokens=tokens)
        for task, tokens in (("a", whole), ("b", part))
        for arm in ("bare", "engram")
    ]
    means, unit = curves._cost(frames.build(records))
    assert unit == "tokens"
    assert means.to_dict() == {"bare": 2000.0, "engram": 2000.0}


def test_pairs_of_the_same_bytes_are_never_pooled_with_others():
    """Tasks a and b are shared; of c the arms had prefixes of their own, which differ by luck."""
    records = [synthetic.record(task, arm) for task in "ab" for arm in ("bare", "engram")]
    own = {"prefix_kind": "own", "split": "dev"}
    records += [synthetic.record("c", "bare", prefix_hash="one", failed=["subgoals"], **own)]
    records += [synthetic.record("c", "engram", prefix_hash="two", **own)]
    f = frames.build(records)
    (part,) = measure(f, {"difference": ["engram", "bare"], "in": "continued", "above": 0})
    assert part.estimate == 0.0
    same = [dict(r, split="dev") for r in records] + [synthetic.record("z", "bare")]
    found = compare.effects(frames.build(same), compare.against_base(f, "continued"))
    table = robust.sensitivity(frames.build(same), found)
    by_split = [row for row in table.rows if row.cells[1].shown.startswith("split dev only")]
    assert {row.cells[1].shown for row in by_split} == {"split dev only (2 tasks)"}


def test_frontier_keeps_what_none_beats():
    points = {"cheap": (1.0, 50.0), "beaten": (2.0, 40.0), "good": (3.0, 90.0), "same": (3.0, 80.0)}
    assert curves.frontier(points) == [(1.0, 50.0), (3.0, 90.0)]


def test_recovery_and_effort():
    records = []
    for number in range(6):
        task = f"t{number}"
        records.append(
            synthetic.record(task, "bare", turns_to_resume=4 + number % 2, first_response="asks")
        )
        fast = {"window": {"input": 2000 + 10 * number, "cached": 0, "output": 150}}
        records.append(
            synthetic.record(task, "engram", turns_to_resume=1 + number % 2, tokens=fast)
        )
    f = frames.build(records)
    shown = columns_of(recovery.recovery(f), "strategy", "first: asks", "median turns [95 %]")
    assert shown[0][:2] == ("bare", "6/6 (100%)")
    assert shown[1][1] == "0/6 (0%)"
    row = recovery.effort(f).rows[1].cells
    window = row[4].parts
    assert window["ratio"] == pytest.approx(0.505, abs=0.01)
    assert window["low"] < window["ratio"] < window["high"]
    assert row[2].text is None
    assert row[5].text is None


FEW = st.lists(st.tuples(*[st.sampled_from([0.0, 1.0])] * 2), min_size=2, max_size=4)


@pytest.mark.filterwarnings("error")
@given(FEW, st.booleans())
def test_few_tasks_of_any_outcome_give_a_ratio_or_none(tasks, twice):
    rows = [(y, float(arm), t) for t, both in enumerate(tasks) for arm, y in enumerate(both)]
    frame = pd.DataFrame(rows * (1 + twice), columns=["y", "arm", "group"])
    seen = frame.rename(columns={"group": "task"}).assign(turns=1 + frame["y"], event=frame["y"])
    found = [ratios.gee_ratio(frame), ratios.conditional_ratio(frame), ratios.count_ratio(frame)]
    found += [ratios.hazard_ratio(seen), ratios.mean_ratio(frame["y"] - frame["arm"])]
    for ratio in found:
        assert ratio is None or (0 < ratio.low <= ratio.value <= ratio.high < np.inf)


@pytest.mark.parametrize("seed", range(8))
def test_hazard_ratio_is_that_of_statsmodels(seed):
    draw = np.random.default_rng(seed)
    n = int(draw.integers(40, 300))
    arm = draw.integers(0, 2, n).astype(float)
    turns = 1.0 + draw.geometric(0.15 + 0.1 * arm, n)
    last = draw.integers(1, 12, n)
    rows = {"task": draw.integers(0, 9, n).astype(str), "arm": arm, "event": turns <= last}
    frame = pd.DataFrame({**rows, "turns": np.minimum(turns, last)})
    # Its errors are not a number where a trial is given up before the first event.
    known = frame[frame["turns"] >= frame.loc[frame["event"], "turns"].min()]
    status = known["event"].to_numpy(dtype=int)
    model = PHReg(known["turns"].to_numpy(), known[["arm"]].to_numpy(), status, ties="efron")
    fit = model.fit(groups=known["task"].to_numpy())
    low, high = np.exp(fit.conf_int()[0])
    expected = (np.exp(fit.params[0]), low, high, fit.pvalues[0])
    assert tuple(ratios.hazard_ratio(frame)) == pytest.approx(expected, rel=1e-6)


def test_arms_that_never_differ_have_no_hazard_ratio_with_an_error_of_nothing():
    rows = [(t, arm, turns, True) for t in "abc" for arm in (0.0, 1.0) for turns in (1.0, 2.0, 5.0)]
    frame = pd.DataFrame(rows, columns=["task", "arm", "turns", "event"])
    assert ratios.hazard_ratio(frame) is None


def test_simulated_power_agrees_with_the_formula_on_normal_data():
    x = np.random.default_rng(3).normal(0.1, 0.3, 36)
    visible = stats.smallest_visible(x)
    assert power.simulated_visible(x) == pytest.approx(visible, abs=0.02)
    assert power.simulated_power(x, 0.0) == pytest.approx(0.05, abs=0.02)
    assert power.simulated_power(x, 1.0) > 0.99
    assert power.simulated_power([0.1, 0.1, 0.1], 0.5) is None


def test_power_table_tells_what_the_design_can_find():
    f = frames.build(synthetic.study(12, rates={"engram": 0.9, "bare": 0.4}))
    found = compare.effects(f, compare.against_base(f, "continued"))
    rows = power.power(f, found).rows
    assert [row.cells[0].text for row in rows] == ["long_mem - bare", "engram - bare"]
    chances = [cell.parts["power"] for cell in rows[1].cells[5:]]
    assert chances == sorted(chances)
