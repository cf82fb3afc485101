"""Pairs of trials: the same pair key under two arms."""

from __future__ import annotations

import pandas as pd


def pairs(frame: pd.DataFrame, arm: str, base: str, value: str) -> pd.DataFrame:
    """One row per pair key that both arms have a known `value` for: task, codebase, prefix_id,
    pair_id, x (arm), y (base), d = x - y, paired, trials (ids behind the row).

    Same key, different prefix bytes (a prefix of its own): `paired` is false; such rows appear
    only where no pair from the same bytes exists, and are never to be pooled with paired ones.
    """
    left, right = (_side(frame, name, value) for name in (arm, base))
    both = left.merge(right, on="pair_id", suffixes=("", "_base"))
    same = both["prefix_hash"].fillna("") == both["prefix_hash_base"].fillna("")
    kinds = (both["prefix_kind"] == "shared") & (both["prefix_kind_base"] == "shared")
    both["paired"] = (same & kinds).fillna(False).astype(bool)
    has_paired = both.groupby("pair_id")["paired"].transform("any").astype(bool)
    both = both[both["paired"] | ~has_paired].reset_index(drop=True)
    both = both.rename(columns={"value": "x", "value_base": "y"})
    both["d"] = both["x"] - both["y"]
    both["trials"] = [(*x, *y) for x, y in zip(both["ids"], both["ids_base"], strict=True)]
    names = ["task", "codebase", "prefix_id", "pair_id", "x", "y", "d", "paired", "trials"]
    return both[names]


def _side(frame: pd.DataFrame, arm: str, value: str) -> pd.DataFrame:
    """One row per prefix and pair key of an arm; repeated trials of one key are averaged."""
    prefix = ["pair_id", "prefix_kind", "prefix_hash"]
    key = [*prefix, "prefix_id", "task", "codebase"]
    mask = (frame["arm"] == arm) & (frame["status"] == "scored") & frame[value].notna()
    rows = frame[[*key, value, "trial_id"]][mask]
    rows = rows.assign(value=rows[value].astype(float))
    ids = rows["trial_id"].astype(object)
    if not rows.duplicated(prefix).any():
        return rows.assign(ids=[(i,) for i in ids])[[*key, "value", "ids"]]
    grouped = rows.assign(ids=ids).groupby(key, dropna=False, sort=True)
    return grouped.agg(value=("value", "mean"), ids=("ids", tuple)).reset_index()
