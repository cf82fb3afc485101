"""Records as parquet, runs beside and against each other, and runs that cannot be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import synthetic

from analysis import columns, frames
from analysis.versus import versus
from harness.cli import main
from harness.errors import UserError
from harness.store import RunFolder

ARMS = ("bare", "engram", "full")


def run_of(path: Path, records: list[dict], **plan: int) -> Path:
    """A run folder without transcripts."""
    path.mkdir(parents=True)
    synthetic.write_lock(path)
    synthetic.write(path / "records.jsonl", records)
    if plan:
        RunFolder(path).write_plan(plan)
    return path


def improved(records: list[dict], by: int) -> list[dict]:
    """The same trials, of which the first `by` failures of engram went well after all."""
    out = []
    for record in records:
        if record["arm"] == "engram" and not record["continued"] and by > 0:
            by -= 1
            same = {name: record[name] for name in ("family", "codebase", "timing")}
            record = synthetic.record(record["task"], "engram", **same)
        out.append(record)
    return out


def test_frames_from_parquet_are_those_from_records(tmp_path):
    records = synthetic.study(3, arms=ARMS)
    records += [synthetic.lost("task_00", "odd", "invalid", "x", timing="mid")]
    records[0]["facts"] = []
    records[1]["attempts"] = [{"status": "error", "text": "中文"}] * 2
    run = run_of(tmp_path / "run", records)
    assert main(["records", str(run), "--to", "parquet"]) == 0
    one = frames.build(records)
    two = frames.build(columns.read_parquet(run / "records.parquet"))
    for name in ("trials", "items", "facts", "tokens", "modes"):
        left, right = getattr(one, name), getattr(two, name)
        assert len(left) > 0
        frames.pd.testing.assert_frame_equal(left, right)
    assert one.trials["attempts_count"].max() == 2


def test_several_row_groups_and_a_column_less_give_the_same(tmp_path):
    records = synthetic.study(3, arms=ARMS)
    table = columns.to_table(records).drop_columns(["notes", "cost_usd"])
    pq.write_table(table, tmp_path / "r.parquet", row_group_size=7)
    two = frames.build(columns.read_parquet(tmp_path / "r.parquet"))
    frames.pd.testing.assert_frame_equal(frames.build(records).facts, two.facts)


@pytest.mark.parametrize("kind", ["text", "json text"])
def test_a_file_that_is_no_export_is_one_clear_line(tmp_path, kind):
    path = tmp_path / "r.parquet"
    if kind == "text":
        path.write_text("not parquet", encoding="utf-8")
        words = "cannot be read as parquet"
    else:
        flat = [{**r, "windows": json.dumps(r["windows"])} for r in synthetic.study(1)]
        frames.pd.DataFrame(flat)[["windows"]].to_parquet(path)
        words = "column `windows` is .*, expected an object"
    with pytest.raises(UserError, match=words) as caught:
        columns.read_parquet(path)
    assert "\n" not in str(caught.value)


def test_a_build_fails_only_where_an_arm_got_worse(tmp_path, capsys):
    old = synthetic.study(8, arms=ARMS, rates={"engram": 0.5})
    before = run_of(tmp_path / "before", old)
    after = run_of(tmp_path / "after", improved(old, 6))
    assert main(["compare", str(before), str(after)]) == 0
    told = capsys.readouterr().out
    assert "simulated" in told
    assert "worse by more than 5 points: none" in told
    assert main(["compare", str(after), str(before)]) == 1
    assert "worse by more than 5 points: engram" in capsys.readouterr().out
    assert main(["compare", str(after), str(before), "--margin", "0.5"]) == 0
    assert main(["compare", str(after), str(before), "--arms", "bare"]) == 0
    assert main(["compare", str(after), str(before), "--arms", "nothing"]) == 2
    assert "'nothing' is not in the run before" in capsys.readouterr().err
    assert main(["compare", str(after), str(before), "--margin", "5"]) == 2


def test_pairs_over_runs_by_hand():
    old = [synthetic.record(t, "engram", failed=["subgoals"]) for t in "ab"]
    new = [synthetic.record("a", "engram"), synthetic.record("b", "engram", failed=["naming"])]
    table, worse = versus(old, new, 0.05)
    first, strict = (
        {c: x.shown for c, x in zip(table.columns, row.cells, strict=True)} for row in table.rows
    )
    assert (first["points [95 %]"], first["prefix"]) == ("+100.0 [n/a]", "the same")
    assert (strict["gained"], strict["lost"], strict["pairs"]) == ("1", "0", "2")
    assert worse == []
    assert versus(new, old, 0.05)[1] == ["engram"]


def test_one_strategy_under_two_options_is_compared_though_names_differ():
    old = synthetic.study(2, arms=("engram", "full"))
    new = synthetic.study(2, arms=("engram[fields=constraints]", "full"), seed=1)
    table, _ = versus(old, new, 0.05)
    assert table.rows[0].cells[0].text == "engram[fields=constraints] against engram"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rubric_hash": "other"}, "mix rubrics"),
        ({"arm": "third"}, None),
        ({"task": "elsewhere"}, "no trial of one run shares"),
        ({"schema_version": 9}, "newer"),
    ],
)
def test_runs_that_cannot_be_compared(changes, words):
    old = [synthetic.record("a", arm) for arm in ("bare", "engram")]
    new = [dict(synthetic.record("a", "bare"), **changes)]
    if words is None:
        old, words = (
            [synthetic.record("a", "one"), synthetic.record("a", "two")],
            "no arm in common",
        )
    with pytest.raises(UserError, match=words):
        versus(old, new, 0.05)
    with pytest.raises(UserError, match="no records yet"):
        versus([], old, 0.05)


@pytest.mark.slow
def test_runs_of_one_plan_stand_beside_each_other(tmp_path, capsys):
    old = synthetic.study(3, arms=ARMS)
    one, two = run_of(tmp_path / "one", old), run_of(tmp_path / "two", improved(old, 3))
    assert main(["report", str(one), str(two)]) == 0
    target = tmp_path / "report--one--two"
    page = (target / "report.md").read_text(encoding="utf-8")
    assert page.index("### Side by side") < page.index("## one: ") < page.index("## two: ")
    names = {p.name for p in (target / "tables").iterdir()}
    assert {"side_by_side.csv", "rates--one-reference-agent-worker.csv"} <= names
    html = (target / "report.html").read_text(encoding="utf-8")
    data = json.loads(html.split('id="data">')[1].split("</script>")[0])
    assert [t["section"] for t in data["trials"]] == [0] * len(old) + [1] * len(old)
    assert main(["report", str(one), str(two), "--out", str(tmp_path / "again")]) == 0
    assert (tmp_path / "again" / "report.html").read_bytes() == (
        target / "report.html"
    ).read_bytes()


def test_edited_records_are_not_compared_either(tmp_path, capsys):
    fine = run_of(tmp_path / "fine", [synthetic.record("a")])
    bad = run_of(tmp_path / "bad", [edited(["naming", "subgoals"], "subgoals", passed=True)])
    for given in ((fine, bad), (bad, fine)):
        assert main(["compare", *map(str, given)]) == 2
        assert "not what its items say: it was edited" in capsys.readouterr().err
    assert main(["compare", str(fine), str(fine)]) == 0


def test_plots_alone(tmp_path, capsys):
    run = run_of(tmp_path / "run", synthetic.study(2, arms=("bare", "engram")))
    assert main(["plots", str(run)]) == 0
    assert (run / "report" / "plots" / "items.svg").is_file()
    assert not (run / "report" / "tables").exists()


def edited(
    failed: list[str], item: str, window: str = "registered", *, passed: bool
) -> dict[str, Any]:
    """A record whose `item` was changed by hand; the strict verdict does not show it."""
    record = synthetic.record("a", failed=failed)
    record["windows"][window]["items"][item]["passed"] = passed
    return record


BAD = {
    "no record": ([], "no records"),
    "newer": ([synthetic.record("a", schema_version=9)], "newer"),
    "no arm": ([dict(synthetic.record("a"), arm=None)], "`arm` is missing"),
    "two rubrics": (
        [synthetic.record("a"), synthetic.record("b", rubric_hash="other")],
        "mix rubrics",
    ),
    "edited": ([synthetic.record("a", continued=False)], "it was edited"),
    "item edited to failed": ([edited(["naming"], "constraints", passed=False)], "it was edited"),
    "item edited to passed": (
        [edited(["naming", "subgoals"], "subgoals", passed=True)],
        "`continued` of the registered window is not what its items say",
    ),
    "item of another window": (
        [edited(["file_paths", "naming"], "file_paths", window="extended", passed=True)],
        "`continued` of the extended window",
    ),
}


@pytest.mark.parametrize("verb", ["report", "plots", "claims"])
@pytest.mark.parametrize("case", BAD)
def test_bad_runs_are_one_clear_line_for_every_verb(tmp_path, capsys, case, verb):
    records, words = BAD[case]
    run = run_of(tmp_path / "run", records)
    assert main([verb, str(run)]) == 2
    told = capsys.readouterr().err.strip()
    assert words in told
    assert "\n" not in told
    assert not (run / "report").exists()
