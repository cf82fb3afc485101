"""Reports of a real run with two seams in a row: what was planned, and whether it was verified."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from runs import no_report

from harness.cli import main
from harness.store import RunFolder
from harness.verified import told

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two arms and the floor, at two seams of one task; `empty` stops before the second."""
    results = tmp_path_factory.mktemp("results")
    given = ["tasks.only=[rename/tally_ledger]", "strategy=engram", "study.controls=[empty]"]
    given += ["seam=early", "seam.count=2", f"run.results={results}", "run.name=r"]
    with no_report():
        assert main(["run", *given]) == 0
    return results / "r"


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Path:
    """A copy of it, to be spoilt."""
    return Path(shutil.copytree(finished, tmp_path / "r"))


def change(run: Path, edit: Callable[[dict[str, Any]], None]) -> None:
    """Edit the first scored record of engram by hand."""
    path = run / "records.jsonl"
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    edit(next(r for r in records if r["arm"] == "engram" and r["status"] == "scored"))
    text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    path.write_text(text, encoding="utf-8")


def made(run: Path) -> str:
    """The text of the run's report, whose first lines the page has too."""
    assert main(["report", str(run)]) == 0
    return (run / "report" / "report.md").read_text(encoding="utf-8")


def table(run: Path, name: str) -> pd.DataFrame:
    return pd.read_csv(run / "report" / "tables" / f"{name}.csv")


def test_planned_and_scored_are_counted_alike_at_every_seam(run: Path) -> None:
    assert "Not verified: `seambench verify` was not run" in made(run)
    overview = table(run, "overview").set_index("strategy")
    assert list(overview["scored_planned_k"]) == list(overview["scored_planned_of"]) == [1, 1, 1]
    flow = table(run, "flow")
    assert len(flow) == 6
    assert set(flow["planned"]) == set(flow["recorded"]) == {1}
    parts = flow[["scored", "unscored", "invalid", "error"]].sum(axis=1)
    assert list(parts) == list(flow["recorded"])
    empty = flow[flow["strategy"] == "empty"].set_index("seam")
    assert list(empty["unscored"]) == [0, 1]
    assert empty.loc[2, "reasons"] == "unscored: stopped_before_seam (1)"
    seams = table(run, "seams").set_index(["strategy", "seam"])
    assert set(seams["scored_planned_of"]) == {1}
    assert seams.loc[("empty", 2), "scored_planned_k"] == 0
    records = RunFolder(run).records()
    assert flow["scored"].sum() == sum(r["status"] == "scored" for r in records)


@pytest.mark.filterwarnings("error")
def test_seams_that_were_never_reached_are_not_counted_as_the_first(tmp_path: Path) -> None:
    given = ["tasks.only=[rename/tally_ledger]", "strategy=bare", "study.controls=[]"]
    given += ["seam.kind=turn", "seam.at=[500]", "seam.count=2", f"run.results={tmp_path}"]
    with no_report():
        assert main(["run", *given, "run.name=r"]) == 0
    assert "seams.png" not in made(tmp_path / "r")
    flow = table(tmp_path / "r", "flow")
    assert list(flow["seam"]) == [1, 2]
    for name in ("planned", "recorded", "invalid"):
        assert list(flow[name]) == [1, 1]


def test_a_report_says_whether_these_very_records_were_verified(run: Path) -> None:
    assert main(["verify", str(run)]) == 0
    text = made(run)
    assert "Verified: 5 scored records" in text
    assert "Not verified" not in text
    page = (run / "report" / "report.html").read_text(encoding="utf-8")
    assert "Verified: 5 scored records" in page
    change(run, lambda record: record.update(tokens_reread=7))
    assert told(RunFolder(run)).startswith("Not verified: records were changed or added since")
    (run / "verified.json").write_text('{"scored": 5', encoding="utf-8")
    assert told(RunFolder(run)).startswith("Not verified: verified.json cannot be read")


def test_a_report_of_records_that_verify_denies_says_so_first(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def improve(record: dict[str, Any]) -> None:
        window = record["windows"]["registered"]
        for item in window["items"].values():
            item["passed"] = not window["continued"]
        for place in (record, window):
            place["continued"] = place["continued_strict"] = not window["continued"]

    change(run, improve)
    assert main(["verify", str(run)]) == 1
    lines = made(run).splitlines()
    first = next(line for line in lines[3:] if line)
    assert first.startswith("Do not rely on this: `seambench verify` found 1 of 5 scored records")
    assert first in capsys.readouterr().out
