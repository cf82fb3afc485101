"""Reading records, tidy frames, and what may be paired with what."""

from __future__ import annotations

import json

import pytest
import synthetic

from analysis import frames
from analysis.pairs import behind, pairs
from analysis.records import TOGETHER, load_columns, load_records
from harness.errors import UserError


def test_torn_last_line_is_left_out(tmp_path):
    path = synthetic.write(tmp_path / "records.jsonl", synthetic.study(2))
    whole = load_records(path)
    path.write_bytes(path.read_bytes() + b'{"trial_id": "torn \xe4\xb8')
    assert load_records(path) == whole
    assert len(whole) == 24


def test_last_line_without_newline_counts_if_it_is_whole(tmp_path):
    path = tmp_path / "records.jsonl"
    path.write_text(json.dumps(synthetic.record()), encoding="utf-8")
    assert len(load_records(path)) == 1


@pytest.mark.parametrize("damage", [b"{", b"\xff\xfe", b"[1]", b"3"])
def test_damage_elsewhere_names_the_line(tmp_path, damage):
    good = json.dumps(synthetic.record()).encode()
    path = tmp_path / "records.jsonl"
    path.write_bytes(good + b"\n" + damage + b"\n" + good + b"\n")
    with pytest.raises(UserError, match="line 2") as caught:
        load_records(path)
    assert "\n" not in str(caught.value)


def test_missing_file_is_a_user_error(tmp_path):
    with pytest.raises(UserError, match=r"nothing\.jsonl"):
        load_records(tmp_path / "nothing.jsonl")


def test_a_retried_trial_counts_once_as_it_ended(tmp_path):
    failed = synthetic.lost("t", "bare", "error", "model: timeout")
    path = synthetic.write(tmp_path / "records.jsonl", [failed, synthetic.record("t")])
    assert [r["status"] for r in load_records(path)] == ["scored"]


def test_columns_are_those_of_the_newest_records(tmp_path):
    """Read in pieces: a retry far from the first try still takes its place."""
    first = synthetic.lost("first", "bare", "error", "model:timeout")
    again = synthetic.record("first", "bare", trial_id=first["trial_id"])
    many = [synthetic.record("t", "bare", repeat=n) for n in range(2 * TOGETHER)]
    path = synthetic.write(tmp_path / "records.jsonl", [first, *many, again])
    with path.open("a", encoding="utf-8") as file:
        file.write('{"trial_id": "torn')
    table, kept = load_columns(path, lambda record: (record["trial_id"], record["status"]))
    assert table.column("trial_id").to_pylist() == [name for name, _ in kept]
    assert kept == [(r["trial_id"], r["status"]) for r in load_records(path)]
    assert kept[0] == (first["trial_id"], "scored")
    one, two = frames.build(table), frames.build(load_records(path))
    frames.pd.testing.assert_frame_equal(one.trials, two.trials)
    frames.pd.testing.assert_frame_equal(one.facts, two.facts)


def test_what_is_missing_is_named_by_its_line_however_far_down(tmp_path):
    many = [synthetic.record("t", "bare", repeat=n) for n in range(TOGETHER + 2)]
    many[-1]["trial_id"] = None
    path = synthetic.write(tmp_path / "records.jsonl", many)
    with pytest.raises(UserError, match=f"record number {TOGETHER + 2}: `trial_id` is missing"):
        load_columns(path, dict)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"schema_version": 2}, "newer"),
        ({"rubric_hash": "other"}, "mix rubrics"),
        ({"status": ...}, "`status` is missing"),
        ({"windows": [1]}, "`windows` should be an object"),
        ({"continued": "yes", "windows": None}, "`continued` should be true, false or null"),
        ({"attempts": 7}, "record b.*: `attempts` should be a list"),
        ({"facts": {}}, "record b.*: `facts` should be a list"),
        (
            {"continued": False},
            "record b.*: `continued` is not what its window says: it was edited",
        ),
        ({"continued_strict": False}, "`continued_strict` is not what its window says"),
        ({"trial_id": "a.bare.mid.0.0.0.0"}, "there more than once"),
        ({"model": "another"}, "mix models"),
        ({"agent": "another"}, "mix models"),
        ({"model_sha256": "b" * 64}, "mix models .*sha256 bbbbbbbbbbbb"),
        ({"summariser": {"name": "small", "sha256": None}}, "mix models .*summaries by small"),
        ({"summariser": {"name": None, "sha256": "b" * 64}}, "summaries by .sha256 bbbb"),
    ],
)
def test_records_that_must_not_be_read_together(changes, words):
    records = [synthetic.record("a"), synthetic.record("b", **changes)]
    with pytest.raises(UserError, match=words) as caught:
        frames.build(records)
    assert "\n" not in str(caught.value)


def test_trials_hold_what_the_record_says():
    row = frames.build(
        [synthetic.record("t", "engram", timing="late", failed=["naming"])]
    ).trials.loc[0]
    assert (row["continued"], row["continued_strict"]) == (True, False)
    assert (row["continued_extended"], row["passed_naming"]) == (True, False)
    assert (row["seam_done_count"], row["seam_open_count"]) == (2, 1)
    assert (row["exercised_items"], row["view_card_tokens"]) == (4, 200)
    assert row["pair_id"] == "t/late/0/0/1/0/0"


def test_unknown_stays_unknown():
    gone = {"tokens_reread": None, "windows": None, "plan_kept": ..., "seam": None, "tokens": ...}
    row = frames.build([synthetic.record("t", **gone)]).trials.loc[0]
    for name in ("tokens_reread", "plan_kept", "seam_turn", "continued_extended", "passed_naming"):
        assert row[name] is frames.pd.NA
    assert bool(row["continued"])
    assert frames.build([synthetic.record("t", **gone)]).tokens.empty


def test_not_scored_trials_have_no_verdict_items_or_facts():
    lost = synthetic.lost("t", "bare", "invalid", "x", continued=False, facts=[{"id": "f"}])
    assert frames.build([lost]).trials.loc[0, "continued"] is frames.pd.NA
    assert frames.build([lost]).items.empty
    assert frames.build([lost]).facts.empty


def test_items_facts_tokens_and_modes_are_one_row_per_thing():
    records = [synthetic.record("t", failed=["naming"])]
    items = frames.build(records).items.set_index("item")
    assert items.loc["naming", ["passed", "exercised", "evidence_count"]].tolist() == [
        False,
        True,
        1,
    ]
    assert len(items) == 6
    assert frames.build(records).modes["mode"].tolist() == ["naming_drift"]
    facts = frames.build(records).facts.set_index("kind")
    assert facts.loc["naming", ["present", "obeyed"]].tolist() == [False, False]
    assert facts.loc["decision", "obeyed"] is frames.pd.NA
    tokens = frames.build(records).tokens.set_index("phase")
    assert tokens.index.tolist() == ["prefix", "compaction", "window", "after"]
    assert tokens.loc["window", "input_tokens"] == 4000
    assert tokens.loc["window", "list_usd"] is frames.pd.NA


def test_item_without_an_established_fact_is_unknown_not_failed():
    record = synthetic.record("t")
    record["windows"]["registered"]["items"]["naming"]["passed"] = None
    assert frames.build([record]).items.set_index("item").loc["naming", "passed"] is frames.pd.NA


def test_order_of_records_leaves_no_trace():
    records = synthetic.study(3)
    assert frames.build(records).trials.equals(frames.build(records[::-1]).trials)
    assert frames.build(records).facts.equals(frames.build(records[::-1]).facts)


def test_arms_in_report_order_with_controls_last():
    arms = ["full", "zeta", "combined", "alpha", "empty", "engram", "bare", "engram[budget=200]"]
    f = frames.build([synthetic.record("t", arm) for arm in arms])
    assert f.arms[:3] == ("bare", "engram", "combined")
    assert f.arms[3:] == ("alpha", "engram[budget=200]", "zeta", "full", "empty")
    assert f.controls == {"full", "empty"}


def test_own_and_shared_prefixes_are_never_silently_paired():
    records = [
        synthetic.record("a", "bare"),
        synthetic.record("a", "files", prefix_kind="own", prefix_hash="else"),
        synthetic.record("b", "bare"),
        synthetic.record("b", "files"),
        synthetic.record("c", "bare", prefix_hash="one"),
        synthetic.record("c", "files", prefix_hash="two"),
    ]
    trials = frames.build(records).trials
    assert trials.set_index(["task", "arm"])["paired"].to_dict() == {
        ("a", "bare"): True,
        ("a", "files"): False,
        ("b", "bare"): True,
        ("b", "files"): True,
        ("c", "bare"): True,
        ("c", "files"): False,
    }
    table = pairs(trials, "files", "bare", "continued").set_index("task")
    assert table["paired"].to_dict() == {"a": False, "b": True, "c": False}


def test_pairs_need_the_whole_key_and_both_verdicts():
    records = [
        synthetic.record("a", "bare", failed=["naming"], continuation_draw=1),
        synthetic.record("a", "engram", continuation_draw=1),
        synthetic.record("a", "engram", continuation_draw=2),
        synthetic.record("b", "bare", timing="late"),
        synthetic.record("b", "engram", timing="early"),
        synthetic.record("c", "bare"),
        synthetic.lost("c", "engram", "error", "model: timeout"),
    ]
    table = pairs(frames.build(records).trials, "engram", "bare", "continued_strict")
    assert table["pair_id"].tolist() == ["a/mid/0/0/1/0/1"]
    assert table["d"].tolist() == [1.0]
    ids = frames.build(records).ids
    assert set(ids[behind(table)]) == {records[0]["trial_id"], records[1]["trial_id"]}


def test_the_same_trial_of_two_runs_is_averaged_not_multiplied():
    records = [synthetic.record("a", "bare")]
    records += [
        synthetic.record("a", "engram", run_id=run, trial_id=run, failed=failed)
        for run, failed in (("one", []), ("two", ["subgoals"]))
    ]
    table = pairs(frames.build(records).trials, "engram", "bare", "continued")
    assert table[["x", "y", "d"]].values.tolist() == [[0.5, 1.0, -0.5]]
    assert len(behind(table)) == 3
