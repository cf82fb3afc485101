"""Whose records they are: what is pooled, what stands apart, and what titles say of it."""

from __future__ import annotations

import pytest
import synthetic

from analysis import frames, plots, report, tables
from analysis.records import by_source
from analysis.versus import versus
from harness.errors import UserError


def test_records_without_an_answer_stand_with_those_of_their_run():
    lost = synthetic.lost("z", "bare", "invalid", "seam_not_reached", model="as-asked")
    silent = [
        synthetic.record("y", model=name, reason="context_overflow", repeat=n, simulated=sim)
        for n, (name, sim) in enumerate([("", False), (None, True)])
    ]
    for simulated in (None, True, False):
        records = [*synthetic.study(2), *silent, lost | {"simulated": simulated}]
        assert len(by_source(records)) == 1
        assert frames.build(records).source.model == "reference"
    other = dict(lost, run_id="another")
    assert [source.model for source in by_source([*records, other])] == ["as-asked", "reference"]
    assert [source.model for source in by_source([other])] == ["as-asked"]
    assert frames.build(silent[1:]).source.named == "unknown model, agent worker"


@pytest.mark.parametrize(
    ("changes", "titled", "told"),
    [
        ({}, "(simulated: reference worker)", "by the extractive summariser (simulated)"),
        ({"simulated": False}, "", "model reference, agent worker, summaries by the model itself"),
        (
            {"summariser": {"name": "小模型", "sha256": "ab" * 32}},
            "(simulated: reference worker; summaries by 小模型 (sha256 abababababab))",
            "summaries by 小模型 (sha256 abababababab), split test",
        ),
        (
            {"simulated": False, "summariser": {"name": "small", "sha256": None}},
            "(summaries by small)",
            "model reference, agent worker, summaries by small, split test",
        ),
    ],
)
def test_titles_and_captions_say_whose_the_summaries_are(changes, titled, told):
    f = frames.build(synthetic.study(2, **changes))
    table = tables.rates(f)
    assert table.title == f"Verdicts {titled}".strip()
    assert told in table.notes[-1]
    assert told in plots.heatmap(f).caption


def test_records_with_other_summaries_stand_apart(tmp_path):
    small = {"name": "small", "sha256": None}
    other = [dict(record, summariser=small) for record in synthetic.study(2, seed=1)]
    for number, record in enumerate(other):
        record["trial_id"] = f"small-{number}"
    records = [*synthetic.study(2), *other]
    assert [source.named for source in by_source(records)] == [
        "reference, agent worker",
        "reference, agent worker, summaries by small",
    ]
    path = synthetic.write(tmp_path / "records.jsonl", records)
    written = report.write_report([report.Run(path)], tmp_path / "out")
    titles = [table.title for table in written.overviews]
    assert titles == [
        "Overview (simulated: reference worker)",
        "Overview (simulated: reference worker; summaries by small)",
    ]
    with pytest.raises(UserError, match=r"mixes models .*, summaries by small"):
        versus(records, records, 0.05)
