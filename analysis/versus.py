"""A run against an earlier one, pair by pair: for use in a build."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from analysis import stats
from analysis.cells import difference_cell, interval_cell, label, p_cell, points_cell
from analysis.columns import complete, to_table
from analysis.frames import VERDICTS, Maker
from analysis.pairs import behind, pairs, preferred
from analysis.records import by_source, check
from analysis.table import Cell, Row, Table
from harness.errors import UserError
from harness.types import CONTROLS

Records = Sequence[Mapping[str, Any]]


def versus(
    before: Records, after: Records, margin: float, arms: Sequence[str] = ()
) -> tuple[Table, list[str]]:
    """Table of after - before per arm, and the arms that are worse by more than `margin`.

    margin: a share, applied to the estimate in `continued`. arms: of both runs; () for all in
    both, or the one strategy of each run, whatever its options. Raises UserError where runs cannot
    be compared: other rubrics, several models in one run, no arm or no prefix in common.
    """
    for name, records in (("before", before), ("after", after)):
        if not records:
            raise UserError(f"the run {name} has no records yet")
    names = _arms(before, after, arms)
    trials, simulated = _joined(before, after)
    rows, worse = [], []
    for old, new in names:
        for verdict in VERDICTS:
            table = preferred(pairs(trials, f"after {new}", f"before {old}", verdict))
            d = stats.paired_difference(table)
            if d.estimate is None and verdict == "continued":
                raise UserError(
                    f"{new}: no trial of one run shares its task, band, repeat and draws with one "
                    "of the other; compare runs of the same plan"
                )
            bad = d.estimate is not None and d.estimate < -margin
            worse += [new] if bad and verdict == "continued" else []
            rows.append(_row(new if old == new else f"{new} against {old}", verdict, table, d))
    title = "After against before" + (" (simulated: reference worker)" if simulated else "")
    columns = ("arm", "in", "prefix", "points [95 %]", "BCa", "p", "gained", "lost", "tasks")
    notes = (
        "Points: after - before on the same pair key, each task weighs the same; t interval on "
        "task means. prefix: whether both runs went on from the same bytes. gained, lost: pairs. "
        "visible: the smallest difference that this many tasks show with power 0.8.",
        f"Worse: the estimate in `continued` lies below -{100 * margin:g} points. An interval that "
        "reaches below it has not shown that nothing was lost.",
    )
    return Table("versus", title, (*columns, "pairs", "visible"), tuple(rows), notes), worse


def _row(name: str, verdict: str, table: pd.DataFrame, d: stats.Difference) -> Row:
    ids = behind(table)
    same = bool(table["paired"].all()) and len(table) > 0
    cells = [Cell(name), Cell(label(verdict)), Cell("the same" if same else "another history")]
    cells += [difference_cell(d, ids), interval_cell(d.bca, ids), p_cell(d.p, ids)]
    cells += [Cell(str(n)) for n in (d.plus, d.minus, d.n_tasks, d.n_pairs)]
    return Row((*cells, points_cell(d.visible, ids)))


def _arms(before: Records, after: Records, chosen: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs of arm names: of the earlier run, of the later run."""
    old, new = ({record["arm"] for record in records} for records in (before, after))
    for arm in chosen:
        if arm not in old or arm not in new:
            where = "before" if arm not in old else "after"
            have = ", ".join(sorted(old if arm not in old else new))
            raise UserError(f"--arms: {arm!r} is not in the run {where} (it has {have})")
    if chosen:
        return [(arm, arm) for arm in chosen]
    both = sorted(old & new - set(CONTROLS))
    if both:
        return [(arm, arm) for arm in both]
    one, other = (sorted(names - set(CONTROLS)) for names in (old, new))
    if len(one) == len(other) == 1:
        return [(one[0], other[0])]
    raise UserError(
        f"no arm in common: before has {', '.join(sorted(old)) or 'none'}, after has "
        f"{', '.join(sorted(new)) or 'none'}"
    )


def _joined(before: Records, after: Records) -> tuple[pd.DataFrame, bool]:
    """The trials of both runs, with the run in the names of arms; whether any is simulated."""
    joined = []
    for name, records in (("before", before), ("after", after)):
        kinds = by_source(records)
        if len(kinds) > 1:
            told = "; ".join(kind.named for kind in kinds)
            raise UserError(f"the run {name} mixes models ({told}); compare one at a time")
        for record in records:
            names = {key: f"{name} {record.get(key)}" for key in ("arm", "trial_id")}
            joined.append({**record, **names})
    table = complete(to_table(joined))
    check(table)
    return Maker(table).trials(), any(record.get("simulated") for record in joined)
