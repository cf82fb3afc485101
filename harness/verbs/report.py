"""Verbs that tell what records show: report, plots, compare, claims."""

from __future__ import annotations

import contextlib
import gc
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness import verified
from harness.config import config_folder
from harness.errors import UserError
from harness.store import RunFolder, scan
from harness.verbs.common import rubric_of, run_folder, say

if TYPE_CHECKING:
    from analysis.report import Run
    from analysis.table import Table


def report(paths: Sequence[str], rates: str | None = None, out: str | None = None) -> int:
    """Regenerate tables and plots from what is stored; several runs side by side in one report."""
    from analysis.report import write_report

    folders = [run_folder(path) for path in paths]
    target = _target(folders, out)
    runs = _runs(folders, rates)
    with _loading():
        _tell(write_report(runs, target).overviews)
    for run in runs:
        say(f"{run.name}: {run.verified}")
    say(f"report: {target}")
    return 0


def plots(path: str, out: str | None = None) -> int:
    """Regenerate the plots of a run alone."""
    from analysis.report import write_plots

    folder = run_folder(path)
    target = Path(out) if out else folder.root / "report" / "plots"
    for written in write_plots(_run(folder), target):
        say(str(written))
    return 0


def report_run(folder: RunFolder) -> None:
    """The report of a run that has just ended, and its first table on the terminal."""
    from analysis.report import write_report

    with _loading():
        _tell(write_report(_runs([folder], None), folder.root / "report").overviews)


@contextlib.contextmanager
def _loading() -> Iterator[None]:
    """Records are read, shown and dropped: to look for cycles among them takes as long as that."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def compare(before: str, after: str, margin: float, arms: Sequence[str]) -> int:
    """One run against another, pair by pair. Exit code 1 where an arm is worse by over `margin`."""
    from analysis.versus import versus

    if not 0 <= margin <= 1:
        raise UserError(f"--margin: {margin:g} is not a share; expected 0 to 1, e.g. 0.05")
    folders = [run_folder(path) for path in (before, after)]
    records = [_checked(folder) for folder in folders]
    table, worse = versus(records[0], records[1], margin, arms)
    say(table.to_text())
    say(f"worse by more than {100 * margin:g} points: {', '.join(worse) or 'none'}")
    return 1 if worse else 0


def claims(path: str) -> int:
    """The seeds' claims against a run's records."""
    from analysis.claims import claims_table
    from analysis.frames import build

    folder = run_folder(path)
    config_path = config_folder() / "claims.yaml"
    table = claims_table(build(_checked(folder)), config_path)
    target = folder.root / "report" / "tables"
    target.mkdir(parents=True, exist_ok=True)
    (target / "claims.md").write_text(table.to_markdown(), encoding="utf-8")
    (target / "claims.csv").write_text(table.to_csv(), encoding="utf-8")
    say(table.to_text())
    return 0


def _target(folders: Sequence[RunFolder], out: str | None) -> Path:
    if out:
        return Path(out)
    if len(folders) == 1:
        return folders[0].root / "report"
    names = "--".join(folder.name for folder in folders)
    return folders[0].root.parent / f"report--{names}"


def _runs(folders: Sequence[RunFolder], rates: str | None) -> list[Run]:
    known = error_rates(rates)
    return [replace(_run(folder), error_rates=known) for folder in folders]


def _run(folder: RunFolder) -> Run:
    """What a report needs of a run."""
    from analysis.report import Run
    from harness.seams import Seams

    if next(scan(folder.records_path), None) is None:
        raise UserError(f"{folder.root}: no records yet; run it first")
    return Run(
        folder.records_path,
        folder.name,
        planned=_planned(folder),
        claims=config_folder() / "claims.yaml",
        seams=Seams(folder),
        weights=rubric_of(folder).weights,
        verified=verified.told(folder),
    )


def _planned(folder: RunFolder) -> dict[str, int] | None:
    """Trials planned per arm. The plan counts records: each seam of a trial has one."""
    lock = json.loads((folder.root / "lock.json").read_text(encoding="utf-8"))
    records = folder.planned()
    return records and {arm: n // lock["seam"]["count"] for arm, n in records.items()}


def _checked(folder: RunFolder) -> list[dict[str, Any]]:
    """A run's records, whose verdicts are those of their items."""
    from analysis.columns import to_table
    from analysis.records import check_weights, load_records

    records = load_records(folder.records_path)
    check_weights(to_table(records), rubric_of(folder).weights)
    return records


def _tell(tables: Sequence[Table]) -> None:
    for table in tables:
        say(f"\n{table.to_text()}")


def error_rates(path: str | None) -> dict[str, dict[str, int]] | None:
    """The scorer's error counts from a file of audit-score, or from the strays."""
    if path is None:
        return None
    if path == "strays":
        from harness.verbs.judge import stray_rates

        return stray_rates()
    try:
        rates = json.loads(Path(path).read_text(encoding="utf-8"))
        return {name: {k: int(v) for k, v in counts.items()} for name, counts in rates.items()}
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise UserError(f"{path}: not the error rates of audit-score: {error}") from None
