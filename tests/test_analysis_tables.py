"""Tables: numbers worked out by hand, and the four ways of writing them."""

from __future__ import annotations

import csv
import io

import pytest
import synthetic

from analysis import cells, compare, components, facts, flow, frames, recovery, robust, tables
from analysis.table import Cell, Row, Table, text_width


@pytest.fixture(scope="module")
def small() -> frames.Frames:
    """Two tasks of two codebases: bare fails subgoals on one, engram fails naming on the other."""
    return frames.build(
        [
            synthetic.record("a", "bare", failed=["subgoals"], codebase="x"),
            synthetic.record("a", "engram", codebase="x"),
            synthetic.record("a", "full", codebase="x"),
            synthetic.record("b", "bare", codebase="y", family="bugfix", timing="late"),
            synthetic.record(
                "b", "engram", failed=["naming"], codebase="y", family="bugfix", timing="late"
            ),
            synthetic.lost("b", "full", "invalid", "snapshot differs", codebase="y", timing="late"),
        ]
    )


def found(f: frames.Frames, *values: str) -> list[compare.Effect]:
    return compare.effects(f, [c for v in values for c in compare.against_base(f, v)])


def column(table: Table, name: str) -> dict[str, str]:
    """First cell of a row -> what stands in a column."""
    at = table.columns.index(name)
    return {row.cells[0].shown: row.cells[at].shown for row in table.rows}


def test_flow_counts_and_reasons(small):
    table = flow.flow(small, {"bare": 3, "engram": 2, "full": 2, "long_mem": 2})
    assert column(table, "planned") == {"bare": "3", "engram": "2", "full": "2"}
    assert column(table, "scored") == {"bare": "2", "engram": "2", "full": "1"}
    assert column(table, "invalid")["full"] == "1"
    assert column(table, "reasons")["full"] == "invalid: snapshot differs (1)"
    assert any("without a record: long_mem" in note for note in table.notes)


def test_flow_tells_reserves_from_the_plan(small):
    more = flow.flow(small, {"bare": 1, "engram": 2, "full": 2})
    assert any("More recorded than planned: reserves" in note for note in more.notes)
    exact = flow.flow(small, {"bare": 2, "engram": 2, "full": 2})
    assert not any("reserves" in note for note in exact.notes)


def test_side_by_side_marks_what_is_not_paired():
    own = [
        synthetic.record(task, arm, prefix_kind="own", prefix_hash=f"{task}{arm}")
        for task in "ab"
        for arm in ("bare", "engram")
    ]
    shared = frames.build([synthetic.record(t, arm) for t in "ab" for arm in ("bare", "engram")])
    table = tables.side_by_side([("shared", shared), ("own", frames.build(own))])
    shown = [row.cells[-1].shown for row in table.rows if row.cells[0].shown == "engram"]
    assert [text.endswith(" unpaired") for text in shown] == [False, True]


def test_flow_without_a_plan_does_not_invent_one(small):
    assert set(column(flow.flow(small), "planned").values()) == {"n/a"}


def test_flow_warns_where_losses_depend_on_the_strategy():
    records = synthetic.study(2, arms=("bare", "engram"))
    even = flow.flow(frames.build(records))
    records[0] = synthetic.lost("task_00", "bare", "error", "model: timeout", timing="early")
    odd = flow.flow(frames.build(records))
    assert not any("read the bounds" in note for note in even.notes)
    assert any("read the bounds" in note for note in odd.notes)


def test_rates_and_items(small):
    rates = tables.rates(small)
    assert column(rates, "continued")["bare"] == "1/2 (50%) [9, 91]"
    assert column(rates, "continued")["engram"] == "2/2 (100%) [34, 100]"
    assert column(rates, "continued_strict")["engram"] == "1/2 (50%) [9, 91]"
    assert column(rates, "items exercised, of 5")["engram"] == "3.5"
    assert column(tables.items(small), "naming")["engram"] == "1/2 (50%) [9, 91] ex 50%"


def test_cells_know_their_trials(small):
    at = tables.rates(small).columns.index("continued")
    row = next(r for r in tables.rates(small).rows if r.cells[0].text == "full")
    assert list(small.ids[row.cells[at].trials]) == ["a.full.mid.0.0.0.0"]


def test_differences_by_hand(small):
    effects = found(small, "continued", "continued_strict")
    table = compare.differences(small, effects, "d", "Differences")
    first = {row.cells[0].text + " " + row.cells[1].text: row.cells for row in table.rows}
    # task a: 1 - 0, task b: 1 - 1; mean 0.5, sd 0.7071, t(1) = 12.706, half width 6.353
    assert first["engram - bare continued"][3].shown == "+50.0 [-585.3, +685.3]"
    assert first["engram - bare continued_strict"][3].parts["points"] == 0.0
    assert first["full - bare continued"][3].shown == "+100.0 [n/a]"
    assert first["full - bare continued"][8].shown == "n/a"
    assert [row.group for row in table.rows] == ["strategies"] * 2 + ["controls"] * 2


def test_holm_runs_within_families_and_leaves_controls_out():
    arms = ("bare", "long_mem", "engram", "combined", "full")
    rates = {"long_mem": 0.8, "engram": 0.9, "combined": 0.9, "full": 0.95}
    f = frames.build(synthetic.study(12, arms=arms, rates=rates))
    by_arm = {e.claim.arm: e for e in found(f, "continued")}
    raw = sorted((by_arm[arm].found.p, arm) for arm in ("long_mem", "engram"))
    assert by_arm[raw[0][1]].holm_p == pytest.approx(2 * raw[0][0])
    assert by_arm["combined"].holm_p == by_arm["combined"].found.p
    assert by_arm["full"].holm_p is None


def test_a_prefix_of_its_own_does_not_take_an_arm_out_of_its_family():
    records = synthetic.study(12, rates={"long_mem": 0.8, "engram": 0.9})
    for record in records:
        if record["arm"] == "long_mem":
            record |= {"prefix_kind": "own", "prefix_hash": record["trial_id"]}
    by_arm = {e.claim.arm: e for e in found(frames.build(records), "continued")}
    assert (by_arm["long_mem"].paired, by_arm["engram"].paired) == (False, True)
    low, high = sorted(by_arm.values(), key=lambda e: e.found.p)
    assert low.holm_p == pytest.approx(min(1, 2 * low.found.p))
    assert high.holm_p == pytest.approx(max(low.holm_p, high.found.p))


def test_family_b_holds_both_verdicts_and_five_items():
    f = frames.build(synthetic.study(4))
    claims = compare.between(f)
    assert {c.family for c in claims} == {"B"}
    assert [cells.label(c.value) for c in claims] == [
        *("continued", "continued_strict"),
        *("constraints", "file_paths", "subgoals", "naming", "no_reask"),
    ]


def test_unpaired_differences_stand_in_rows_of_their_own():
    records = synthetic.study(6, arms=("bare", "files"))
    for record in records:
        if record["arm"] == "files" and record["task"] in ("task_00", "task_01"):
            record |= {"prefix_kind": "own", "prefix_hash": record["trial_id"]}
    f = frames.build(records)
    effects = found(f, "continued")
    assert [(e.paired, e.found.n_tasks, e.found.n_pairs) for e in effects] == [
        (True, 4, 16),
        (False, 2, 8),
    ]
    table = compare.differences(f, effects, "d", "D")
    assert [row.cells[2].text for row in table.rows] == ["shared", "not shared: unpaired"]


def test_bounds_count_what_was_not_scored_both_ways():
    records = [synthetic.record(t, arm) for t in "abcd" for arm in ("bare", "engram")]
    records[1] = synthetic.lost("a", "engram", "invalid", "snapshot differs")
    f = frames.build(records)
    claim = compare.against_base(f, "continued")[0]
    assert [estimate for _, estimate, _ in robust.bounds(f, claim)] == [-0.25, 0.0]
    f = frames.build(synthetic.study(2, arms=("bare", "engram")))
    assert robust.bounds(f, compare.against_base(f, "continued")[0]) == []


def test_family_and_timing_in_their_own_order(small):
    assert tables.by_family(small).columns == ("strategy", "rename", "bugfix")
    assert tables.by_timing(small).columns == ("strategy", "mid", "late")
    assert column(tables.by_timing(small), "mid")["bare"].startswith("0/1")
    assert column(tables.by_timing(small), "late")["full"] == "n/a"


def test_failure_modes_and_retention(small):
    modes = tables.modes(small)
    assert column(modes, "repeated_step") == {
        "bare": "1/2 (50%)",
        "engram": "0/2 (0%)",
        "full": "0/1 (0%)",
    }
    rows = {
        (row.cells[0].text, row.cells[1].text): [c.shown for c in row.cells[2:]]
        for row in facts.retention(small).rows
    }
    assert rows["engram", "naming"] == ["2", "1/2 (50%)", "1/1 (100%)", "0/1 (0%)"]
    assert rows["bare", "decision"] == ["2", "2/2 (100%)", "n/a", "n/a"]


def test_retention_by_age_and_mentions():
    records = [synthetic.record(t, arm) for t in "ab" for arm in ("bare", "engram")]
    for record in records:
        record["facts"][5]["mentions"] = 3
    table = facts.by_age(frames.build(records))
    rows = {c[1].text: [x.shown for x in c[2:]] for c in (r.cells for r in table.rows[:6])}
    assert rows["1,251 to 2,000 tokens old"] == ["4", "4/4 (100%)", "2/2 (100%)", "n/a"]
    assert rows["said more often"] == ["2", "0/2 (0%)", "n/a", "n/a"]
    assert sum(int(cells[0]) for name, cells in rows.items() if name.startswith("said")) == 12


def test_variance_components_by_hand():
    # two tasks of one seam and two continuations: means 1 and 0.5, squares within 0 and 0.5
    outcomes = {("a", 0): True, ("a", 1): True, ("b", 0): True, ("b", 1): False}
    records = [
        synthetic.record(task, continuation_draw=draw, failed=[] if won else ["subgoals"])
        for (task, draw), won in outcomes.items()
    ]
    f = frames.build(records)
    assert components.several_draws(f)
    # between: (0.25 - 0.25) / 2 = 0; within: 0.25
    assert components.shares(f.scored("bare"), "continued") == {"task": 0.0, "rest": 1.0}
    for draw in (0, 1):
        records[2 + draw] = synthetic.record("b", continuation_draw=draw, failed=["subgoals"])
    apart = frames.build(records).scored("bare")
    assert components.shares(apart, "continued") == {"task": 1.0, "rest": 0.0}
    assert components.shares(f.scored("bare")[:2], "continued") is None
    assert not components.several_draws(frames.build(synthetic.study(2)))


@pytest.mark.parametrize("controls", [(), ("full",), ("empty", "full")])
def test_many_prefixes_with_and_without_controls(controls: tuple[str, ...]):
    names = [f"task_{n:03d}" for n in range(150)]
    arms = ("bare", *controls)
    records = [synthetic.record(t, a, repeat=r) for t in names for a in arms for r in (0, 1)]
    empty = [r for r in records if r["arm"] == "empty"]
    records = [r for r in records if r["arm"] != "empty"]
    records += [synthetic.record(r["task"], "empty", repeat=r["repeat"], failed=["subgoals"])
                for r in empty]  # fmt: skip
    records += [synthetic.record(t, "engram") for t in names[:3]]
    f = frames.build(records)
    assert {row.cells[0].text for row in tables.normalised(f).rows} >= {"bare", "engram"}
    assert compare.normalised(f, "engram", "continued")[2] == (3 if len(controls) == 2 else 0)


def test_normalised_is_blank_without_controls_and_one_by_definition_for_full():
    f = frames.build(synthetic.study(4, arms=("bare", "full")))
    shown = column(tables.normalised(f), "continued normalised")
    assert shown == {"bare": "n/a", "full": "1 by definition"}
    rates = {"empty": 0.0, "bare": 0.5, "full": 1.2}
    f = frames.build(synthetic.study(8, arms=("bare", "full", "empty"), rates=rates))
    cell = next(r for r in tables.normalised(f).rows if r.cells[0].text == "bare").cells[4]
    assert 0 < cell.parts["score"] < 1
    assert cell.parts["low"] < cell.parts["score"] < cell.parts["high"]


def test_tokens_money_and_turns(small):
    assert column(tables.tokens(small), "window")["bare"] == "4,000 (25%) > 300"
    assert column(tables.tokens(small), "recovery")["bare"] == "n/a"
    assert column(tables.tokens(small), "USD, list price")["bare"] == "n/a"
    assert column(recovery.recovery(small), "resumed")["bare"] == "1/2 (50%)"
    paid = {p: {"list": 0.25, "cached": None} for p in ("prefix", "compaction", "window")}
    f = frames.build([synthetic.record("a", cost_usd=paid)])
    assert column(tables.tokens(f), "USD, list price")["bare"] == "0.5000"
    assert column(tables.tokens(f), "USD, cached price")["bare"] == "n/a"


def test_text_is_aligned_with_chinese_too():
    rows = [
        Row((Cell("裸摘要"), Cell("1"))),
        Row((Cell("engram"), Cell("12"))),
        Row((Cell("x"), Cell(None))),
    ]
    lines = Table("t", "标题", ("策略", "n"), tuple(rows)).to_text().splitlines()
    assert {text_width(line) for line in lines[2:]} == {text_width(lines[3])}
    assert lines[-1].endswith("n/a")
    assert text_width("é́") == 1


def test_controls_are_set_apart_in_every_form(small):
    table = tables.rates(small)
    assert "\n-- controls" in table.to_text()
    assert "| *controls* |" in table.to_markdown()
    assert table.to_latex().count("\\midrule") == 2
    groups = [row["group"] for row in csv.DictReader(io.StringIO(table.to_csv()))]
    assert groups == ["strategies", "strategies", "controls"]


def test_csv_has_bare_numbers_and_empty_unknowns(small):
    rows = list(csv.DictReader(io.StringIO(tables.rates(small).to_csv())))
    assert rows[0]["continued_k"] == "1"
    assert rows[0]["continued_n"] == "2"
    assert float(rows[0]["continued_low"]) == pytest.approx(0.0945, abs=1e-4)
    planned = list(csv.DictReader(io.StringIO(flow.flow(small).to_csv())))
    assert planned[0]["planned"] == ""


def test_marks_of_the_target_language_are_escaped():
    cell = Cell("a|b_c & 5% <x>\n[y] \\ {z} #1 $2 ~ ^")
    table = Table("t", "T", ("k", "v"), (Row((Cell("[first"), cell)),))
    assert "| \\[first | a\\|b_c &amp; 5% &lt;x> \\[y\\]" in table.to_markdown()
    tex = table.to_latex()
    assert r"5\% \textless{}x\textgreater{} [y] \textbackslash{} \{z\} \#1 \$2" in tex
    assert r"{[}first & a\textbar{}b\_c \&" in tex
    assert next(csv.reader(io.StringIO(table.to_csv().split("\n", 1)[1])))[1] == cell.text


def test_a_table_without_rows_is_still_a_table():
    table = Table("t", "T", ("a", "b"), ())
    assert "(no rows)" in table.to_text()
    assert "(no rows)" in table.to_markdown()
    assert table.to_csv() == "a,b\n"
