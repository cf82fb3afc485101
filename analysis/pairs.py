"""Pairs of trials: the same pair key under two arms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

_NAMES = ["task", "codebase", "prefix_id", "pair_id"]
_IDS = ["trials", "trials_base"]


def pairs(frame: pd.DataFrame, arm: str, base: str, value: str) -> pd.DataFrame:
    """One row per pair key that both arms have a known `value` for: task, codebase, prefix_id,
    pair_id, x (arm), y (base), d = x - y, paired, and trials, trials_base (see `behind`).

    Same key, different history (a prefix of its own, a later seam): `paired` is false; such rows
    appear only where no pair from the same bytes exists, and are never to be pooled with paired
    ones.
    """
    both = _both(frame, arm, base, [value])
    both = both.rename(columns={value: "x", f"{value}_base": "y"})
    both["d"] = both["x"] - both["y"]
    return both[[*_NAMES, "x", "y", "d", "paired", *_IDS]]


def differences(frame: pd.DataFrame, arm: str, base: str, values: Sequence[str]) -> pd.DataFrame:
    """The same pairs for many columns at once: task, codebase, prefix_id, pair_id, trials,
    trials_base, and arm - base of each of `values`. From the same bytes where there are such
    pairs."""
    both = preferred(_both(frame, arm, base, list(values)))
    made = {value: both[value] - both[f"{value}_base"] for value in values}
    return pd.concat([both[[*_NAMES, *_IDS]], pd.DataFrame(made)], axis=1)


def preferred(rows: pd.DataFrame) -> pd.DataFrame:
    """Of pairs, those from the same bytes; all where there are none."""
    return rows[rows["paired"]] if rows["paired"].any() else rows


def behind(rows: pd.DataFrame) -> np.ndarray:
    """Places of all trials behind pairs, each once."""
    parts = []
    for name in _IDS:
        column = rows[name]
        parts += list(column) if column.dtype == object else [column.to_numpy()]
    return distinct(np.concatenate([np.empty(0, np.int32), *map(np.atleast_1d, parts)]))


def distinct(places: np.ndarray) -> np.ndarray:
    """Places in order, each once; quicker than sorting a million of them."""
    marks = np.zeros(int(places.max(initial=-1)) + 1, dtype=bool)
    marks[places] = True
    return np.flatnonzero(marks).astype(np.int32)


def _both(frame: pd.DataFrame, arm: str, base: str, values: list[str]) -> pd.DataFrame:
    left, right = (_side(frame, name, values) for name in (arm, base))
    both = left.merge(right, on="pair", suffixes=("", "_base"))
    same = both["hash"] == both["hash_base"]
    both["paired"] = same & both["shared"] & both["shared_base"]
    with_paired = both["pair"].isin(both.loc[both["paired"], "pair"])
    both = both[both["paired"] | ~with_paired].reset_index(drop=True)
    for name in _NAMES:  # from codes only now: merging numbers is much quicker than text
        both[name] = frame[name].array[both["row"].to_numpy()]
    return both


def _side(frame: pd.DataFrame, arm: str, values: list[str]) -> pd.DataFrame:
    """One row per prefix and pair key of an arm; repeated trials of one key are averaged.

    row: number of a row of `frame` with this key. trials: place of the trial, or of all of them.
    """
    mask = ((frame["arm"] == arm) & (frame["status"] == "scored")).to_numpy(dtype=bool)
    for value in values:
        mask = mask & frame[value].notna().to_numpy()
    at = np.flatnonzero(mask)
    rows = pd.DataFrame(
        {
            "row": at,
            "pair": frame["pair_id"].array.codes[at],
            "hash": frame["prefix_hash"].array.codes[at],
            "shared": frame["shared"].to_numpy(dtype=bool)[at],
            "trials": frame["trial_id"].array.codes[at],
        }
        | {value: frame[value].array[at].astype(float) for value in values}
    )
    key = ["pair", "hash", "shared"]
    if not rows.duplicated(key).any():
        return rows
    means = {value: (value, "mean") for value in values}
    return (
        rows.groupby(key)
        .agg(row=("row", "first"), trials=("trials", tuple), **means)
        .reset_index()
        .astype({"trials": object})
    )
