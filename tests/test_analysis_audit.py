"""People against the code: the sheet, its judgements, and what error rates do to a difference."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest
import synthetic
from judged import fill, stored_run

from analysis import agreement, compare, frames
from harness.blind import draw_sample, key_path, read_judgements, stratified
from harness.cli import main
from harness.errors import UserError
from harness.sheet import html_sheet
from harness.store import RunFolder


@pytest.fixture
def run(tmp_path) -> RunFolder:
    return stored_run(tmp_path / "run")


def test_a_sheet_tells_what_was_done_and_not_by_which_strategy(run, tmp_path):
    sheet = tmp_path / "sheet.csv"
    assert draw_sample(run, 6, sheet) == 6
    text = sheet.read_text(encoding="utf-8-sig")
    assert "规则 1" in text
    assert "我改 a.py" in text
    assert "+new = 2" in text
    for word in (*synthetic.ARMS, "secret", "carried", "True", "False"):
        assert word not in text
    with pytest.raises(UserError, match="never overwritten"):
        draw_sample(run, 6, sheet)


def test_the_same_records_give_the_same_sample(run, tmp_path):
    for name in ("a.csv", "b.csv"):
        draw_sample(run, 5, tmp_path / name)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_every_stratum_is_drawn_from_before_any_twice():
    records = [
        synthetic.record(f"t{number}", arm, failed=["subgoals"] if number < few else [])
        for arm, few in (("bare", 18), ("engram", 2))
        for number in range(20)
    ]
    chosen = stratified(records, 8)
    strata = [(r["arm"], r["continued"]) for r in chosen]
    assert {s: strata.count(s) for s in strata} == dict.fromkeys(strata, 2)
    assert len(set(strata)) == 4


def test_judgements_give_agreement_and_rates(run, tmp_path, capsys):
    sheet = tmp_path / "sheet.csv"
    assert main(["audit-sample", str(run.root), "-n", "9", "--out", str(sheet)]) == 0
    assert main(["audit-score", str(sheet)]) == 2
    assert "nothing is judged yet" in capsys.readouterr().err
    fill(sheet, lambda code, case: ("是" if code else "No") if case < 9 else "")
    assert len(read_judgements(sheet, key_path(sheet))) == 8
    assert main(["audit-score", str(sheet)]) == 0
    assert "8/8 (100%)" in capsys.readouterr().out
    rates = json.loads((tmp_path / "sheet.rates.json").read_text(encoding="utf-8"))["continued"]
    assert sum(rates.values()) == 8
    assert rates["false_pass"] == rates["false_fail"] == 0
    fill(sheet, lambda code, case: "perhaps")
    assert main(["audit-score", str(sheet)]) == 2
    assert "'perhaps' is neither yes nor no" in capsys.readouterr().err


def test_two_people_are_told_apart_and_weighed_together(run, tmp_path, capsys):
    sheet, other = tmp_path / "anna.csv", tmp_path / "bo.csv"
    draw_sample(run, 9, sheet)
    other.write_bytes(sheet.read_bytes())
    fill(sheet, lambda code, case: "yes" if code else "no")
    answers = list(csv.reader(sheet.open(encoding="utf-8-sig", newline="")))
    head = [answers[0][0], answers[0][6], "remarks"]  # what the HTML sheet saves
    with other.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows([head, *([row[0], "no", ""] for row in answers[1:])])
    assert main(["audit-score", str(other)]) == 2
    assert "bo.key.json cannot be read" in capsys.readouterr().err
    assert main(["audit-score", str(sheet), str(other)]) == 0
    told = capsys.readouterr().out
    assert "anna" in told
    row = next(line for line in told.splitlines() if " bo " in line)
    assert row.rstrip().endswith("n/a")  # who passes nothing tells nothing of what the code failed
    rates = json.loads((tmp_path / "anna.rates.json").read_text(encoding="utf-8"))["continued"]
    assert sum(rates.values()) == 18
    assert rates["false_fail"] == 0 < rates["false_pass"]


def test_the_html_sheet_is_as_blind_and_text_stays_text(run, tmp_path):
    draw_sample(run, 6, tmp_path / "sheet.csv")
    text = (tmp_path / "sheet.html").read_text(encoding="utf-8")
    assert "规则 1" in text
    assert "+new = 2" in text
    for word in (*synthetic.ARMS, "secret", "carried", "http:", "https:"):
        assert word not in text
    page = html_sheet(("case", "task", "x"), [[1, "</pre><img src=x>", "b"]], [], "q", "f.csv")
    assert "<img" not in page


def table_of(*raters: str) -> np.ndarray:
    """Ratings of the units by raters, "." for none, as counts per unit and value."""
    values = sorted({v for rater in raters for v in rater if v != "."})
    return np.array(
        [[sum(r[u] == v for r in raters) for v in values] for u in range(len(raters[0]))]
    )


def test_alpha_published():
    # Krippendorff 2011: two observers of ten binary units; four observers with missing data
    assert agreement.alpha(table_of("0100000010", "1110010000")) == pytest.approx(0.095, abs=5e-4)
    raters = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
    assert agreement.alpha(table_of(*raters)) == pytest.approx(0.743, abs=5e-4)
    assert agreement.alpha(table_of("000", "000")) is None
    assert agreement.alpha(table_of("010", "010")) == 1.0


def test_kappa_published():
    # Fleiss, Cohen and Everitt's form of the 2 x 2 example: 20, 5, 10, 15 gives 0.4
    counts = {"true_pass": 20, "false_pass": 5, "false_fail": 10, "true_fail": 15}
    value, ends = agreement.kappa(counts)
    assert value == pytest.approx(0.4)
    assert ends.low < 0.4 < ends.high
    assert agreement.kappa(counts | {"false_fail": 0, "true_fail": 0}) is None


def test_a_difference_is_larger_without_the_scorers_errors():
    counts = {"true_pass": 90, "false_fail": 10, "true_fail": 70, "false_pass": 30}
    means = [0.3, 0.1, 0.2, 0.4, 0.2]
    value, ends = agreement.corrected(means, counts)
    assert value == pytest.approx(0.24 / 0.6)
    assert ends.low < value < ends.high
    perfect = {"true_pass": 10**6, "false_fail": 0, "true_fail": 10**6, "false_pass": 0}
    assert agreement.corrected(means, perfect)[0] == pytest.approx(0.24)
    assert agreement.corrected(means, counts | {"true_fail": 10, "false_pass": 90}) == (None, None)


def test_the_corrected_table_needs_rates_of_the_verdict():
    f = frames.build(synthetic.study(6, rates={"engram": 0.9, "bare": 0.4}))
    found = compare.effects(f, compare.against_base(f, "continued"))
    counts = {"true_pass": 50, "false_fail": 2, "true_fail": 40, "false_pass": 4}
    table = agreement.corrected_table(f, found, {"continued": counts})
    parts = table.rows[1].cells
    assert parts[2].parts["points"] > parts[1].parts["points"] > 0
    assert not agreement.corrected_table(f, found, {"naming": counts}).rows
