"""How the agent takes up its work again: first response, plan, turns, interventions, effort."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis import ratios, stats
from analysis.cells import (
    ids_of,
    mean_cell,
    ratio_cell,
    ratio_interval_cell,
    share_cell,
    sums_by_trial,
)
from analysis.frames import BASE, Frames
from analysis.table import Cell, Table
from analysis.tables import by_arm

RESPONSES = ("works", "reads", "asks", "restates", "finishes")


def recovery(f: Frames) -> Table:
    """First response, plan kept, turns to the first correct step (as survival), interventions."""

    def cells(arm: str) -> list[Cell]:
        scored = f.scored(arm)
        known = scored[scored["first_response"].notna()]
        kinds = [known[known["first_response"] == kind] for kind in RESPONSES]
        seen = followed(scored)
        resumed = int(seen["event"].sum())
        return [
            *(ratio_cell(len(rows), len(known), ids_of(rows)) for rows in kinds),
            share_cell(scored, "plan_kept"),
            ratio_cell(resumed, len(seen), ids_of(seen)),
            _median_cell(seen),
            mean_cell(scored, "interventions", "{:.2f}"),
            mean_cell(scored, "tokens_reread", "{:,.0f}"),
        ]

    columns = ("strategy", *(f"first: {kind}" for kind in RESPONSES), "plan kept", "resumed")
    columns += ("median turns [95 %]", "interventions, mean", "tokens reread, mean")
    notes = (
        "first: kind of the first response after the seam. resumed: a correct step on an open "
        "sub-goal was seen; median turns: Kaplan-Meier, trials that never resumed count up to the "
        "last turn followed; its interval ignores clusters.",
        f.caption,
    )
    return by_arm(f, "recovery", "Recovery after the seam", columns, cells, notes)


_EFFORT = ["trial_id", "task", "arm", "turns_to_resume", "turns_followed", "interventions"]


def followed(scored: pd.DataFrame) -> pd.DataFrame:
    """Trials whose turns were counted: trial_id, task, arm, turns (>= 1), event (resumed)."""
    rows = scored[scored["turns_to_resume"].notna() | scored["turns_followed"].notna()]
    turns = rows["turns_to_resume"].fillna(rows["turns_followed"]).astype(float)
    names = ["trial_id", "task", "arm"]
    return rows[names].assign(turns=turns, event=rows["turns_to_resume"].notna())


def _median_cell(seen: pd.DataFrame) -> Cell:
    median, low, high = stats.median_survival(list(seen["turns"]), list(seen["event"]))
    if len(seen) == 0:
        text = None
    elif median is None:
        text = "not reached"
    else:
        ends = ", ".join("n/a" if end is None else f"{end:.0f}" for end in (low, high))
        text = f"{median:.0f} [{ends}]"
    return Cell(text, {"median": median, "low": low, "high": high}, ids_of(seen))


def effort(f: Frames) -> Table:
    """Ratios to `bare`: hazard of resuming, interventions, tokens and money after the seam."""
    spent, scored = _spent(f), f.scored()[_EFFORT]

    def cells(arm: str) -> list[Cell]:
        both = scored[scored["arm"].isin([arm, BASE])]
        ids = ids_of(both)
        if arm == BASE or BASE not in f.arms:
            return [Cell("") for _ in range(5)]
        found = [_hazard(both, arm), _interventions(both, arm)]
        found += [_log_ratio(spent, name, arm) for name in ("before_turns", "window", "usd")]
        return [ratio_interval_cell(ratio, ids) for ratio in found]

    columns = ("strategy", "resuming, hazard", "interventions", "tokens of the seam")
    columns += ("tokens of the window", "USD, list price")
    notes = (
        "Ratio to bare [95 %]. Hazard: proportional hazards, errors clustered by task, over 1 "
        f"resumes sooner. Interventions: Poisson GEE, clusters = tasks, {ratios.WORKING}. Tokens "
        "(input + output) and money: mean over tasks of the log-ratio of means; the seam is "
        "compaction and recovery. n/a: an arm has none, or fewer than three tasks.",
        f.caption,
    )
    return by_arm(f, "effort", "Effort against bare", columns, cells, notes)


def _hazard(both: pd.DataFrame, arm: str) -> ratios.Ratio | None:
    seen = followed(both)
    return ratios.hazard_ratio(seen.assign(arm=(seen["arm"] == arm).astype(float)))


def _interventions(both: pd.DataFrame, arm: str) -> ratios.Ratio | None:
    known = both[both["interventions"].notna()]
    counts = known["interventions"].astype(float)
    frame = pd.DataFrame(
        {"y": counts, "arm": (known["arm"] == arm).astype(float), "group": known["task"]}
    )
    return ratios.count_ratio(frame)


def _spent(f: Frames) -> pd.DataFrame:
    """Per scored trial: task, arm, tokens before the first turn and in the window, money."""
    rows = f.tokens[f.tokens["status"] == "scored"]
    rows = rows.assign(both=rows["input_tokens"] + rows["output_tokens"])
    wanted = {"before_turns": ("compaction", "recovery"), "window": ("window",)}
    wanted["usd"] = ("compaction", "recovery", "window")
    first = ~rows["trial_id"].duplicated()
    spent, places = rows.loc[first, ["task", "arm"]], rows["trial_id"].array.codes[first]
    for name, phases in wanted.items():
        column = "list_usd" if name == "usd" else "both"
        sums = sums_by_trial(rows[rows["phase"].isin(phases)], column)
        of_trial = np.full(len(f.ids), np.nan)
        of_trial[sums["trial_id"].array.codes] = sums[column]
        spent[name] = of_trial[places]
    return spent


def _log_ratio(spent: pd.DataFrame, name: str, arm: str) -> ratios.Ratio | None:
    """Mean over tasks of log(mean of arm / mean of bare)."""
    if spent.empty:
        return None
    means = spent.groupby(["task", "arm"], observed=True)[name].mean().unstack("arm")
    if not {arm, BASE} <= set(means.columns):
        return None
    means = means[[arm, BASE]].dropna().astype(float)
    means = means[(means > 0).all(axis=1)]
    return ratios.mean_ratio(np.log(means[arm] / means[BASE]).to_numpy())
