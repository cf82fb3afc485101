"""The report as a whole: same bytes, honest titles, and input that has little or nothing in it."""

from __future__ import annotations

import ast
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import matplotlib
import pytest
import synthetic
from judged import stored_run

from analysis import canvas, frames, plots, report
from analysis.words import summary
from harness.errors import UserError

ROOT = Path(__file__).resolve().parent.parent
ALL_ARMS = ("bare", "long_mem", "engram", "combined", "full", "empty", "oracle_card")


def make(tmp_path: Path, records: list, name: str = "report") -> Path:
    write(tmp_path, records, name)
    return tmp_path / name


def write(tmp_path: Path, records: list, name: str = "report") -> report.Written:
    path = synthetic.write(tmp_path / f"{name}.jsonl", records)
    return report.write_report([report.Run(path)], tmp_path / name)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    rates = {"engram": 0.85, "long_mem": 0.8, "combined": 0.9, "full": 0.95, "empty": 0.2}
    return make(tmp_path_factory.mktemp("whole"), synthetic.study(8, arms=ALL_ARMS, rates=rates))


def test_files_written(whole, tmp_path):
    path = synthetic.write(tmp_path / "records.jsonl", synthetic.study(2))
    written = report.write_report([report.Run(path)], tmp_path / "out").paths
    assert sorted(written) == sorted(p for p in (tmp_path / "out").rglob("*") if p.is_file())
    names = {p.name for p in written}
    assert {"report.md", "items.png", "items.svg", "differences.png", "differences.svg"} <= names
    for stem in ("flow", "overview", "rates", "items", "differences", "family", "timing"):
        assert {f"{stem}.csv", f"{stem}.md", f"{stem}.tex"} <= names
    page = (whole / "report.md").read_text(encoding="utf-8")
    for target in re.findall(r"\]\((plots/[^)]+)\)", page):
        assert (whole / target).read_bytes().startswith(b"\x89PNG")


def test_same_records_same_bytes_in_any_order(tmp_path):
    records = synthetic.study(4, arms=("bare", "engram", "empty", "full"))
    shuffled = [dict(r, started_at="2027-01-01T00:00:00Z", seconds={"window": 9}) for r in records]
    random.Random(1).shuffle(shuffled)
    one, two = make(tmp_path, records, "one"), make(tmp_path, shuffled, "two")
    assert contents(one) == contents(two)


@pytest.mark.slow
def test_another_process_writes_the_same_bytes_seams_included(tmp_path):
    run = stored_run(tmp_path / "run")
    found = []
    for seed in ("1", "2"):
        out = tmp_path / seed
        command = [sys.executable, "-m", "harness", "report", str(run.root), "--out", str(out)]
        env = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run(command, cwd=ROOT, env=env, check=True, capture_output=True)
        found.append(contents(out))
    assert found[0] == found[1]
    assert {Path(name).suffix for name in found[0]} == {
        *(".html", ".md", ".csv", ".tex", ".png", ".svg")
    }
    assert "我改 a.py" in found[0]["report.html"].decode("utf-8")


def test_every_title_says_simulated_and_only_where_it_is(whole, tmp_path):
    page = (whole / "report.md").read_text(encoding="utf-8")
    titles = [line for line in page.splitlines() if re.match(r"!\[|### (?!What|How)", line)]
    assert len(titles) > 15
    assert all("(simulated: reference worker)" in title for title in titles)
    real = make(tmp_path, synthetic.study(2, simulated=False, model="some-model"))
    assert "simulated" not in (real / "report.md").read_text(encoding="utf-8")
    assert "reference worker" in (whole / "plots" / "items.svg").read_text(encoding="utf-8")
    assert "simulated" not in (real / "plots" / "items.svg").read_text(encoding="utf-8")


def test_unknown_is_never_shown_as_nan_or_none(whole):
    for name, data in contents(whole).items():
        if name.endswith((".md", ".csv", ".tex")):
            text = data.decode("utf-8")
            assert not re.search(r"\b(nan|NaN|None|<NA>|inf)\b", text), name


LITTLE = {
    "one arm": synthetic.study(3, arms=("bare",)),
    "no bare": synthetic.study(3, arms=("engram", "long_mem")),
    "one control only": synthetic.study(2, arms=("full",)),
    "one task": synthetic.study(1),
    "one record": [synthetic.record()],
    "all passed": synthetic.study(3, rates=dict.fromkeys(synthetic.ARMS, 9.0)),
    "all failed": synthetic.study(3, rates=dict.fromkeys(synthetic.ARMS, -9.0)),
    "all invalid": [
        synthetic.lost(task, arm, "invalid", "seam_not_reached")
        for task in "ab"
        for arm in synthetic.ARMS
    ],
    "nothing shared": [
        synthetic.record("a", "bare"),
        synthetic.record("b", "engram"),
        synthetic.lost("a", "engram", "error", "model: timeout\nsecond line"),
    ],
    "optional fields missing": [
        {
            name: record[name]
            for name in ("trial_id", "task", "arm", "status", "continued", "continued_strict")
        }
        for record in synthetic.study(3)
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("case", LITTLE)
@pytest.mark.filterwarnings("error")
def test_little_to_report_is_still_a_report(tmp_path, case):
    (table,) = write(tmp_path, LITTLE[case]).overviews
    page = (tmp_path / "report" / "report.md").read_text(encoding="utf-8")
    assert "What this cannot say" in page
    assert not re.search(r"\b(nan|NaN|None|<NA>|inf)\b", page)
    assert [row.cells[0].text for row in table.rows] == list(frames.build(LITTLE[case]).arms)


@pytest.mark.parametrize("text", ["", "\n", '{"trial_id": "to'])
def test_an_empty_run_is_one_clear_line(tmp_path, text):
    path = tmp_path / "records.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match="no records yet") as caught:
        report.write_report([report.Run(path)], tmp_path / "out")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()


def test_models_are_reported_apart(tmp_path):
    records = synthetic.study(2, simulated=False, model="m/one")
    records += [
        dict(r, trial_id=r["trial_id"] + "2", model="m/two")
        for r in synthetic.study(2, seed=5, simulated=False)
    ]
    folder = make(tmp_path, records)
    page = (folder / "report.md").read_text(encoding="utf-8")
    assert page.index("## m/one") < page.index("## m/two")
    alone = make(tmp_path, [r for r in records if r["model"] == "m/two"], "alone")
    both = contents(folder)
    assert both["tables/rates--m-two-agent-worker.csv"] == contents(alone)["tables/rates.csv"]


@pytest.mark.slow
def test_what_was_planned_is_not_told_of_each_model_of_a_run(tmp_path):
    """A plan is of the run: beside one model's records it would call the other's missing."""
    records = synthetic.study(2, arms=("bare",), simulated=False)
    for number, record in enumerate(records):
        record["model"] = ("one", "two")[number % 2]
    path = synthetic.write(tmp_path / "records.jsonl", records)
    run = report.Run(path, planned={"bare": len(records)})
    first, second = report.write_report([run], tmp_path / "out").overviews
    assert first.columns[1] == second.columns[1] == "scored/recorded"
    assert [t.rows[0].cells[1].shown for t in (first, second)] == ["4/4", "4/4"]


def test_a_run_that_is_not_complete_says_so():
    f = frames.build(synthetic.study(1, arms=("bare", "engram")))
    lines = "\n".join(summary(f, (), {"bare": 4, "engram": 5}))
    assert "Not complete: 1 of 9 planned trials have no record" in lines
    assert "Not complete" not in "\n".join(summary(f, (), {"bare": 4, "engram": 4}))


def test_what_was_exercised_is_told_of_strategies_alone():
    """A floor that touches nothing says nothing about what the strategies' windows asked for."""
    records = synthetic.study(3, arms=("bare", "empty", "task_only"))
    for record in records:
        for item in record["windows"]["registered"]["items"].values():
            item["exercised"] = record["arm"] == "bare"
    assert not any("exercised in under half" in line for line in summary(frames.build(records), ()))


def test_chinese_names_do_not_break_anything(tmp_path):
    arms = ("bare", "记忆卡")
    records = synthetic.study(3, arms=arms, language="zh")
    for record in records:
        record["task"] = "任务" + record["task"]
    folder = make(tmp_path, records)
    page = (folder / "report.md").read_text(encoding="utf-8")
    assert "no. 2 = 记忆卡" in page
    assert "| 记忆卡 |" in page
    assert "Glyph" not in page


@pytest.mark.filterwarnings("error")
def test_labels_the_font_cannot_draw_become_numbers():
    shown, key = canvas.short_names(["bare", "记忆卡"])
    assert shown == {"bare": "bare", "记忆卡": "no. 2"}
    assert key == "no. 2 = 记忆卡"
    f = frames.build([synthetic.record("任务", arm) for arm in shown])
    assert plots.heatmap(f).caption.count("记忆卡") == 1


def test_a_dollar_sign_and_a_personal_style_change_nothing(tmp_path):
    f = frames.build([synthetic.record("t", arm) for arm in ("bare", "a$b_$c")])
    one = canvas.save(plots.heatmap(f), tmp_path, "1")
    with matplotlib.rc_context({"font.size": 20, "svg.fonttype": "none", "svg.hashsalt": "x"}):
        two = canvas.save(plots.heatmap(f), tmp_path, "2")
    assert [p.read_bytes() for p in one] == [p.read_bytes() for p in two]


def test_words_follow_the_numbers(tmp_path):
    rates = {"engram": 9.0, "bare": 0.1, "long_mem": 0.1}
    page = (make(tmp_path, synthetic.study(12, rates=rates)) / "report.md").read_text("utf-8")
    found = [
        line for line in page.splitlines() if line.startswith("- `") and "carried on in" in line
    ]
    assert "carried on more often" in next(line for line in found if line.startswith("- `engram`"))
    assert "cannot tell" in next(line for line in found if line.startswith("- `long_mem`"))


def test_one_task_claims_no_interval(tmp_path):
    page = (make(tmp_path, synthetic.study(1)) / "report.md").read_text(encoding="utf-8")
    assert "no interval can be given (one task only)" in page
    assert "With one task there is no spread to judge by" in page


def test_analysis_imports_only_what_it_may_and_harness_never_imports_it():
    for path in (ROOT / "analysis").glob("*.py"):
        for name in imported(path):
            if name.split(".")[0] == "harness":
                assert name in ("harness.types", "harness.errors", "harness.store"), path.name
    code = "import sys, harness; print(sorted({'pandas', 'analysis'} & set(sys.modules)))"
    out = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert out.stdout.strip() == "[]"


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names
