"""A packed run can be unpacked and verified, and a run that repeats it is told to be the same."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest
from runs import no_report

from harness.cli import main
from harness.errors import UserError
from harness.reference import compare, pack, records_digest
from harness.store import RunFolder

RUN = ["run", "strategy=engram", "tasks.only=[rename/tally_ledger]", "seam=mid"]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[RunFolder, RunFolder]:
    """The same small run twice, under the same name."""
    folders = [tmp_path_factory.mktemp("runs") for _ in range(2)]
    more = ["study.controls=[full]", "run.name=r"]
    assert main([*RUN, *more, f"run.results={folders[0]}"]) == 0
    with no_report():
        assert main([*RUN, *more, f"run.results={folders[1]}"]) == 0
    return RunFolder(folders[0] / "r"), RunFolder(folders[1] / "r")


@pytest.mark.slow
def test_a_repeated_run_is_the_same(
    runs: tuple[RunFolder, RunFolder], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = runs
    assert pack(first, tmp_path) == records_digest(second.records())
    assert compare(second, tmp_path) == []
    packed = tmp_path / "r" / "r.tar.xz"
    once = packed.read_bytes()
    pack(first, tmp_path)
    assert packed.read_bytes() == once
    with tarfile.open(packed) as archive:
        archive.extractall(tmp_path / "away", filter="data")
    assert main(["verify", str(tmp_path / "away" / "r")]) == 0
    assert "0 differ" in capsys.readouterr().out
    assert (tmp_path / "r" / "report.md").is_file()


@pytest.mark.slow
def test_every_difference_is_told(runs: tuple[RunFolder, RunFolder], tmp_path: Path) -> None:
    first, second = runs
    pack(first, tmp_path)
    lines = [json.loads(x) for x in second.records_path.read_text(encoding="utf-8").splitlines()]
    gone = lines.pop()["trial_id"]
    lines[0]["continued"] = not lines[0]["continued"]
    lines[0]["started_at"] = "another time"
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    changed = RunFolder(tmp_path / "changed" / "r")
    changed.root.mkdir(parents=True)
    changed.records_path.write_text(text, encoding="utf-8")
    told = compare(changed, tmp_path)
    assert len(told) == 2
    assert any(gone in line and "only in the reference" in line for line in told)
    assert any(lines[0]["trial_id"] in line and "continued" in line for line in told)


def test_a_run_without_a_reference(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no reference of that name"):
        compare(RunFolder(tmp_path / "r"), tmp_path)
