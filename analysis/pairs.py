"""Pairs of trials: the same pair key under two arms."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

_NAMES = ["task", "codebase", "prefix_id", "pair_id"]


def pairs(frame: pd.DataFrame, arm: str, base: str, value: str) -> pd.DataFrame:
    """One row per pair key that both arms have a known `value` for: task, codebase, prefix_id,
    pair_id, x (arm), y (base), d = x - y, paired, trials (ids behind the row).

    Same key, different history (a prefix of its own, a later seam): `paired` is false; such rows
    appear only where no pair from the same bytes exists, and are never to be pooled with paired
    ones.
    """
    both = _both(frame, arm, base, [value])
    both = both.rename(columns={value: "x", f"{value}_base": "y"})
    both["d"] = both["x"] - both["y"]
    return both[[*_NAMES, "x", "y", "d", "paired", "trials"]]


def differences(frame: pd.DataFrame, arm: str, base: str, values: Sequence[str]) -> pd.DataFrame:
    """The same pairs for many columns at once: task, codebase, prefix_id, pair_id, trials, and
    arm - base of each of `values`. From the same bytes where there are such pairs."""
    both = _both(frame, arm, base, list(values))
    both = preferred(both)
    made = {value: both[value] - both[f"{value}_base"] for value in values}
    return pd.concat([both[[*_NAMES, "trials"]], pd.DataFrame(made)], axis=1)


def preferred(rows: pd.DataFrame) -> pd.DataFrame:
    """Of pairs, those from the same bytes; all where there are none."""
    return rows[rows["paired"]] if rows["paired"].any() else rows


def _both(frame: pd.DataFrame, arm: str, base: str, values: list[str]) -> pd.DataFrame:
    left, right = (_side(frame, name, values) for name in (arm, base))
    both = left.merge(right, on="pair_id", suffixes=("", "_base"))
    same = both["prefix_hash"].fillna("") == both["prefix_hash_base"].fillna("")
    both["paired"] = (same & both["shared"] & both["shared_base"]).fillna(False).astype(bool)
    has_paired = both.groupby("pair_id")["paired"].transform("any").astype(bool)
    both = both[both["paired"] | ~has_paired].reset_index(drop=True)
    both["trials"] = [(*x, *y) for x, y in zip(both["ids"], both["ids_base"], strict=True)]
    return both


def _side(frame: pd.DataFrame, arm: str, values: list[str]) -> pd.DataFrame:
    """One row per prefix and pair key of an arm; repeated trials of one key are averaged."""
    prefix = ["pair_id", "shared", "prefix_hash"]
    key = [*prefix, "prefix_id", "task", "codebase"]
    known = frame[values].notna().all(axis=1)
    mask = (frame["arm"] == arm) & (frame["status"] == "scored") & known
    rows = frame[[*key, *values, "trial_id"]][mask]
    rows = rows.astype(dict.fromkeys(values, float))
    ids = rows["trial_id"].astype(object)
    if not rows.duplicated(prefix).any():
        return rows.assign(ids=[(i,) for i in ids])[[*key, *values, "ids"]]
    grouped = rows.assign(ids=ids).groupby(key, dropna=False, sort=True)
    means = {value: (value, "mean") for value in values}
    return grouped.agg(**means, ids=("ids", tuple)).reset_index()
