"""What became of the trials that were planned."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from analysis.cells import count_cell
from analysis.frames import Frames
from analysis.table import Cell, Row, Table


def flow(f: Frames, planned: Mapping[str, int] | None = None) -> Table:
    """What became of the planned trials, per arm and seam, with reasons.

    planned: trials per arm; each is planned to reach every seam.
    """
    columns = ("planned", "recorded", "scored", "unscored", "invalid", "error", "retried")
    several = len(f.seams) > 1
    rows = []
    for arm in f.arms:
        group = "controls" if arm in f.controls else "strategies"
        every = f.every_seam[f.every_seam["arm"] == arm]
        total = Cell(None if planned is None else str(planned.get(arm, 0)))
        for seam in f.seams:
            which = [Cell(arm), *([Cell(str(seam))] if several else [])]
            found = _became(every[every["seam_index"] == seam])
            rows.append(Row((*which, total, *found), group))
    notes = []
    if planned is None:
        notes.append("The number planned was not given: trials never recorded cannot be counted.")
    extra = sorted(set(planned or ()) - set(f.arms))
    if extra:
        notes.append("Planned, but without a record: " + ", ".join(extra) + ".")
    parts = f.trials[~f.trials["arm"].isin(list(f.controls))]
    shares = (parts["status"] != "scored").groupby(parts["arm"], observed=True).mean()
    if len(shares) and shares.max() > shares.min():
        notes.append(
            "Strategies differ in how many trials were not scored: read the bounds in the "
            "sensitivity table first."
        )
    if planned and any(len(f.trials[f.trials["arm"] == a]) > planned.get(a, 0) for a in f.arms):
        notes.append(
            "More recorded than planned: reserves stand in for invalid prefixes (deviations.jsonl)."
        )
    if several:
        notes.append("Every trial is planned to reach every seam, and has a record for each.")
    first = ("strategy", "seam") if several else ("strategy",)
    columns = (*first, *columns, "reasons")
    return Table("flow", f.title("Flow of trials"), columns, tuple(rows), tuple(notes))


def _became(rows: pd.DataFrame) -> list[Cell]:
    """Of an arm's records at a seam: how many, with which status, tried again, and why."""
    retried = rows[rows["attempts_count"].fillna(1) > 1]
    groups = [rows[rows["status"] == s] for s in ("scored", "unscored", "invalid", "error")]
    why = rows[rows["status"] != "scored"]
    counts: dict[str, int] = {}
    for (status, reason), n in why.value_counts(["status", "reason"], dropna=False).items():
        told = f"{status}: {'no reason given' if pd.isna(reason) else _short(reason)}"
        counts[told] = counts.get(told, 0) + int(n)
    order = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    reasons = "; ".join(f"{told} ({n})" for told, n in order if n)
    return [*(count_cell(g) for g in (rows, *groups, retried)), Cell(reasons)]


def _short(reason: str) -> str:
    line = (reason.splitlines() or [""])[0]
    return line if len(line) <= 60 else line[:57] + "..."
