"""Verbs that tell what records show: report, plots, compare, claims."""

from __future__ import annotations

import contextlib
import gc
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from harness.config import config_folder
from harness.errors import UserError
from harness.store import RunFolder, scan
from harness.verbs.common import run_folder, say

if TYPE_CHECKING:
    from analysis.report import Run


def report(paths: Sequence[str], rates: str | None = None, out: str | None = None) -> int:
    """Regenerate tables and plots from what is stored; several runs side by side in one report."""
    from analysis.report import write_report

    folders = [run_folder(path) for path in paths]
    target = _target(folders, out)
    with _loading():
        write_report(list(_runs(folders, rates)), target)
        for folder in folders:
            _tell_overview(folder)
    say(f"report: {target}")
    return 0


def plots(path: str, out: str | None = None) -> int:
    """Regenerate the plots of a run alone."""
    from analysis.report import write_plots

    folder = run_folder(path)
    target = Path(out) if out else folder.root / "report" / "plots"
    for written in write_plots(folder.records_path, target):
        say(str(written))
    return 0


def report_run(folder: RunFolder) -> None:
    """The report of a run that has just ended, and its first table on the terminal."""
    from analysis.report import write_report

    with _loading():
        write_report(list(_runs([folder], None)), folder.root / "report")
        _tell_overview(folder)


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
    from analysis.records import load_records
    from analysis.versus import versus

    if not 0 <= margin <= 1:
        raise UserError(f"--margin: {margin:g} is not a share; expected 0 to 1, e.g. 0.05")
    folders = [run_folder(path) for path in (before, after)]
    records = [load_records(folder.records_path) for folder in folders]
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
    table = claims_table(build([dict(record) for record in folder.records()]), config_path)
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
    from analysis.report import Run
    from harness.seams import seam_details

    known = error_rates(rates)
    found = []
    for folder in folders:
        if next(scan(folder.records_path), None) is None:
            raise UserError(f"{folder.root}: no records yet; run it first")
        given = {"planned": folder.planned(), "claims": config_folder() / "claims.yaml"}
        seams = seam_details(folder)
        run = Run(folder.records_path, folder.name, seams=seams, error_rates=known, **given)
        found.append(run)
    return found


def _tell_overview(folder: RunFolder) -> None:
    from analysis.report import overviews

    for table in overviews([dict(record) for record in folder.records()], folder.planned()):
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
