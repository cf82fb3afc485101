"""Memory by card, and several seams in a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from analysis import stats
from analysis.cells import (
    difference_cell,
    estimate_cell,
    flags_cell,
    ids_of,
    interval_cell,
    label,
    mean_cell,
    p_cell,
    points_cell,
    scored_cell,
    share_cell,
)
from analysis.frames import MAIN_ARMS, VERDICT_ITEMS, VERDICTS, Frames
from analysis.table import Cell, Row, Table


def interaction(f: Frames) -> Table:
    """Does memory add less where there is a card already? combined - long_mem - engram + bare."""
    rows = []
    for value in (*VERDICTS, *(f"passed_{item}" for item in VERDICT_ITEMS)):
        table, ids = crossed(f, value)
        d = stats.paired_difference(table)
        cells = [Cell(label(value))]
        for name in ("memory", "card", "memory_with_card", "card_with_memory"):
            cells.append(estimate_cell(*stats.brief(table.assign(d=table[name])), ids))
        cells += [difference_cell(d, ids), interval_cell(d.bca, ids), p_cell(d.p, ids)]
        cells += [Cell(str(d.n_tasks)), Cell(str(d.n_pairs)), points_cell(d.visible, ids)]
        rows.append(Row(tuple(cells)))
    columns = ("in", "memory alone", "card alone", "memory beside card", "card beside memory")
    columns += ("interaction", "BCa", "p", "tasks", "prefixes", "visible")
    notes = (
        "Points [95 % t interval on task means], over prefixes on which bare, long_mem, engram "
        "and combined were all scored from the same bytes. Interaction: combined - long_mem - "
        "engram + bare; below zero the two do the same work, above zero they help each other. "
        "p: sign-flip over tasks, not adjusted.",
        f.caption,
    )
    title = f.title("Memory by card")
    return Table("interaction", title, columns, tuple(rows), notes)


def crossed(f: Frames, value: str) -> tuple[pd.DataFrame, np.ndarray]:
    """One row per pair key that all four main arms share: task, codebase, prefix_id, pair_id, the
    simple effects, d (the interaction); and the places of the trials behind them."""
    names = ["task", "codebase", "prefix_id", "pair_id"]
    rows = f.scored()[[*names, "trial_id", "prefix_hash", "arm", "shared", value]]
    rows = rows[rows["arm"].isin(MAIN_ARMS) & rows["shared"] & rows[value].notna()]
    key = {name: rows[name].array.codes for name in ("pair_id", "prefix_hash")}
    known = {arm: code for code, arm in enumerate(rows["arm"].cat.categories)}
    made = pd.DataFrame({**key, "arm": rows["arm"].array.codes, "row": range(len(rows))})
    made["y"] = rows[value].array.astype(float)
    groups = made.groupby([*key, "arm"])
    wide = groups["y"].mean().unstack("arm").reindex(columns=[known.get(a) for a in MAIN_ARMS])
    wide = wide.dropna()
    bare, memory, card, both = wide.to_numpy().T
    first = made.groupby(list(key))["row"].first().reindex(wide.index).to_numpy(dtype=int)
    named = rows[names].iloc[first].reset_index(drop=True)
    behind = rows[np.isin(key["pair_id"], wide.index.get_level_values("pair_id"))]
    found = named.assign(
        memory=memory - bare,
        card=card - bare,
        memory_with_card=both - card,
        card_with_memory=both - memory,
        d=both - memory - card + bare,
    )
    return found, ids_of(behind)


def seams(f: Frames, planned: Mapping[str, int] | None = None) -> Table:
    """Verdicts and retention by seam, where a trial has several in a row.

    planned: trials per arm; each is planned to reach every seam.
    """
    every = f.every_seam
    facts = facts_by_seam(f)
    rows = []
    for arm in f.arms:
        for index in f.seams:
            there = every[(every["arm"] == arm) & (every["seam_index"] == index)]
            mine = there[there["status"] == "scored"]
            known = facts[(facts["arm"] == arm) & (facts["seam_index"] == index)]
            exposed = known[known["exposed"].fillna(False) & known["obeyed"].notna()]
            total = len(there) if planned is None else planned.get(arm, 0)
            cells = [Cell(arm), Cell(str(index)), scored_cell(mine, total)]
            cells += [share_cell(mine, verdict) for verdict in VERDICTS]
            cells += [flags_cell(known, known["present"]), flags_cell(exposed, exposed["obeyed"])]
            cells.append(mean_cell(mine, "view_after_tokens", "{:,.0f}"))
            rows.append(Row(tuple(cells), "controls" if arm in f.controls else "strategies"))
    of = "recorded" if planned is None else "planned"
    columns = ("strategy", "seam", f"scored/{of}", *VERDICTS, "facts present", "obeyed, of exposed")
    columns += ("view after, tokens",)
    notes = (
        "After the first seam the arms have different histories: later rows are not paired. Other "
        "tables, the flow aside, are about the first seam only.",
        f.caption,
    )
    return Table("seams", f.title("Seams in a row"), columns, tuple(rows), notes)


def facts_by_seam(f: Frames) -> pd.DataFrame:
    """Facts of every seam whose presence is known, with `seam_index`."""
    known = f.every_fact[f.every_fact["present"].notna()]
    return known.assign(seam_index=f.every_seam["seam_index"].array[known["trial_id"].cat.codes])


def four_arms(arms: Sequence[str]) -> bool:
    """Whether memory and card can be crossed."""
    return set(MAIN_ARMS) <= set(arms)
