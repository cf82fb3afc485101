"""Tidy tables from records: one row per thing, stable ids, units in the column names.

Unknown stays unknown: booleans are pandas `boolean`, counts `Int64`, money `Float64`, so that a
missing value is NA and never counts as failed or as zero. Rows are sorted by trial id: the order
in which trials finished leaves no trace.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from analysis.records import by_source, check_records, part, seam_index
from harness.errors import UserError
from harness.types import BANDS, CONTROLS, ITEMS

BASE = "bare"
MAIN_ARMS = ("bare", "long_mem", "engram", "combined")
VERDICT_ITEMS = tuple(item for item in ITEMS if item != "context")
VERDICTS = ("continued", "continued_strict")
WINDOWS = ("registered", "extended", "from_seam")
PHASES = ("prefix", "compaction", "recovery", "window", "after")
PREFIX_KEY = ("task", "timing", "repeat", "prefix_draw", "seam_index")
PAIR_KEY = (*PREFIX_KEY, "compaction_draw", "continuation_draw")

_TEXT = ("trial_id", "run_id", "study", "task", "family", "codebase", "split", "language", "arm")
_TEXT += ("strategy", "model", "agent", "timing", "prefix_hash", "prefix_kind", "status", "reason")
_TEXT += ("first_response",)
_COUNTS = ("repeat", "prefix_draw", "compaction_draw", "continuation_draw")
_COUNTS += ("turns_to_resume", "turns_followed", "tokens_reread")
_FLAGS = ("simulated", "noop", "plan_kept", "completed")
_VIEW = ("before", "after", "summary", "card", "injected")


@dataclass(frozen=True, eq=False)
class Frames:
    """All frames of one set of records that may be pooled: one model, one agent, one rubric.

    Where a trial has several seams in a row, everything but `every_seam` and `every_fact` is of
    the first: after it the arms no longer share their history. arms: in report order, controls
    last. controls: those of `arms` that are controls.
    """

    trials: pd.DataFrame
    items: pd.DataFrame
    facts: pd.DataFrame
    tokens: pd.DataFrame
    modes: pd.DataFrame
    every_seam: pd.DataFrame
    every_fact: pd.DataFrame
    arms: tuple[str, ...]
    controls: frozenset[str]
    simulated: bool
    caption: str

    def title(self, text: str) -> str:
        """`text`, marked where no real model stands behind the numbers."""
        return f"{text} (simulated: reference worker)" if self.simulated else text

    def scored(self, arm: str | None = None) -> pd.DataFrame:
        """Rows of `trials` that were scored, of one arm or of all."""
        return self._scored if arm is None else self._scored_by_arm.get(arm, self._scored[:0])

    @cached_property
    def _scored(self) -> pd.DataFrame:
        return self.trials[self.trials["status"] == "scored"]

    @cached_property
    def _scored_by_arm(self) -> dict[str, pd.DataFrame]:
        return {str(arm): rows for arm, rows in self._scored.groupby("arm")}


def build(records: Sequence[Mapping[str, Any]]) -> Frames:
    """All frames of `records`. Raises UserError where they mix models or agents, or are none."""
    if not records:
        raise UserError("no records: the run is empty; start it with `seambench run`")
    check_records(records)
    sources = list(by_source(records))
    if len(sources) > 1:
        names = ", ".join(f"{model} with {agent}" for model, agent, _ in sources)
        raise UserError(f"records mix models ({names}); report them one at a time")
    every = trials(records)
    strategies = dict(zip(every["arm"], every["strategy"].fillna(every["arm"]), strict=True))
    controls = frozenset(a for a, s in strategies.items() if a in CONTROLS or s in CONTROLS)
    frame = every[every["seam_index"] == 1].reset_index(drop=True)
    first = [record for record in records if seam_index(record) == 1]
    scored = frame[frame["status"] == "scored"]
    splits = "+".join(sorted(frame["split"].dropna().unique())) or "unknown"
    model, agent, simulated = sources[0]
    return Frames(
        trials=frame,
        items=items(first),
        facts=facts(first),
        tokens=tokens(first),
        modes=failure_modes(first),
        every_seam=every,
        every_fact=facts(records),
        arms=tuple(order_arms(strategies)),
        controls=controls,
        simulated=simulated,
        caption=f"{len(scored)} scored trials of {scored['task'].nunique()} tasks; "
        f"model {model}, agent {agent}, split {splits}",
    )


def order_arms(strategies: Mapping[str, str | None]) -> list[str]:
    """Arms (name -> strategy) in report order: the main four, other strategies, controls."""

    def rank(arm: str) -> tuple[int, int, str]:
        if arm in MAIN_ARMS:
            return 0, MAIN_ARMS.index(arm), arm
        for name in (arm, strategies[arm]):
            if name in CONTROLS:
                return 2, CONTROLS.index(name), arm
        return 1, 0, arm

    return sorted(strategies, key=rank)


def order_timings(names: Iterable[str]) -> list[str]:
    """Bands in the order of progress, then other timings by name."""
    known = list(BANDS)
    return sorted(names, key=lambda n: (known.index(n) if n in known else len(known), n))


def trials(records: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """One row per trial.

    pair_id, prefix_id: the pair key, and its part that names the prefix, as text. shared: whether
    other arms may have gone on from the same bytes: not where the prefix is the trial's own, and
    not after its first seam. paired: true where a `bare` trial of the same pair key did. Verdicts
    and items of the registered window have plain names (`continued`, `passed_naming`); other
    windows add theirs (`continued_extended`).
    """
    check_records(records)
    rows = [_trial_row(record) for record in records]
    kinds = dict.fromkeys(_TEXT, "string") | dict.fromkeys(_FLAGS, "boolean")
    kinds |= dict.fromkeys(_COUNTS, "Int64")
    kinds |= {"addons": "string", "seam_turn": "Int64", "seam_index": "Int64"}
    kinds |= {"seam_done_count": "Int64", "seam_open_count": "Int64", "attempts_count": "Int64"}
    for window in WINDOWS:
        tail = "" if window == "registered" else f"_{window}"
        kinds |= {f"{verdict}{tail}": "boolean" for verdict in VERDICTS}
        kinds |= {f"interventions{tail}": "Int64", f"exercised_items{tail}": "Int64"}
    kinds |= {f"passed_{item}": "boolean" for item in ITEMS}
    kinds |= {f"view_{name}_tokens": "Int64" for name in _VIEW}
    frame = _typed(rows, kinds)
    frame["prefix_id"] = _joined(frame, PREFIX_KEY)
    frame["pair_id"] = _joined(frame, PAIR_KEY)
    is_shared = (frame["prefix_kind"] == "shared").fillna(False) & (frame["seam_index"] == 1)
    frame["shared"] = is_shared.astype(bool)
    own = frame["pair_id"].str.cat(frame["prefix_hash"].fillna(""), sep="/")
    frame["paired"] = frame["shared"] & own.isin(own[frame["shared"] & (frame["arm"] == BASE)])
    return frame


def items(records: Sequence[Mapping[str, Any]], window: str = "registered") -> pd.DataFrame:
    """One row per scored trial and rubric item: passed (NA where nothing was established)."""
    rows = []
    for record in records:
        for item, result in _window(record, window).get("items", {}).items():
            evidence = result.get("evidence") or []
            row = {"trial_id": record["trial_id"], "task": record["task"], "arm": record["arm"]}
            row |= {"window": window, "item": item, "passed": result.get("passed")}
            row |= {"exercised": result.get("exercised"), "evidence_count": len(evidence)}
            rows.append(row)
    kinds = dict.fromkeys(("trial_id", "task", "arm", "window", "item"), "string")
    kinds |= {"passed": "boolean", "exercised": "boolean", "evidence_count": "Int64"}
    return _typed(rows, kinds)


def failure_modes(records: Sequence[Mapping[str, Any]], window: str = "registered") -> pd.DataFrame:
    """One row per scored trial and failure mode seen in it."""
    rows = [
        {"trial_id": record["trial_id"], "task": record["task"], "arm": record["arm"], "mode": mode}
        for record in records
        for mode in sorted(set(_window(record, window).get("failure_modes") or ()))
    ]
    return _typed(rows, dict.fromkeys(("trial_id", "task", "arm", "mode"), "string"))


def facts(records: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """One row per scored trial and established fact: retention (`present`) and use (`obeyed`)."""
    rows = []
    for record in records:
        for fact in (record.get("facts") or ()) if record["status"] == "scored" else ():
            row = {"trial_id": record["trial_id"], "task": record["task"], "arm": record["arm"]}
            row |= {"fact_id": fact.get("id")}
            rows.append(row | {k: fact.get(k) for k in (*_FACT_TEXT, *_FACT_FLAGS, *_FACT_COUNTS)})
    kinds = dict.fromkeys(("trial_id", "task", "arm", "fact_id", *_FACT_TEXT), "string")
    kinds |= dict.fromkeys(_FACT_FLAGS, "boolean") | dict.fromkeys(_FACT_COUNTS, "Int64")
    return _typed(rows, kinds)


_FACT_TEXT = ("kind", "loss")
_FACT_FLAGS = ("present", "exposed", "obeyed")
_FACT_COUNTS = ("stated_turn", "mentions", "age_tokens")


def tokens(records: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """One row per trial and phase that has numbers: tokens, money at list and cached price."""
    rows = []
    for record in records:
        usage, cost = part(record, "tokens"), part(record, "cost_usd")
        for phase in PHASES:
            if phase not in usage and phase not in cost:
                continue
            used, paid = usage.get(phase) or {}, cost.get(phase) or {}
            row = {"trial_id": record["trial_id"], "task": record["task"], "arm": record["arm"]}
            row |= {"status": record["status"], "phase": phase}
            row |= {f"{name}_tokens": used.get(name) for name in ("input", "cached", "output")}
            row |= {f"{name}_usd": paid.get(name) for name in ("list", "cached")}
            rows.append(row)
    kinds = dict.fromkeys(("trial_id", "task", "arm", "status", "phase"), "string")
    kinds |= {f"{name}_tokens": "Int64" for name in ("input", "cached", "output")}
    kinds |= {"list_usd": "Float64", "cached_usd": "Float64"}
    return _typed(rows, kinds)


def _trial_row(record: Mapping[str, Any]) -> dict[str, Any]:
    row = {name: record.get(name) for name in (*_TEXT, *_FLAGS, *_COUNTS)}
    for name in ("repeat", "prefix_draw", "compaction_draw", "continuation_draw"):
        row[name] = row[name] or 0
    seam, view = part(record, "seam"), part(record, "view_tokens")
    row["addons"] = "+".join(record.get("addons") or ()) or None
    row["attempts_count"] = len(record.get("attempts") or ()) or None
    row |= {"seam_turn": seam.get("turn"), "seam_index": seam_index(record)}
    row |= {f"seam_{name}_count": _count(seam.get(name)) for name in ("done", "open")}
    row |= {f"view_{name}_tokens": view.get(name) for name in _VIEW}
    scored = record["status"] == "scored"
    for window in WINDOWS:
        tail = "" if window == "registered" else f"_{window}"
        result = _window(record, window)
        top = record if scored and window == "registered" else {}
        for verdict in VERDICTS:
            row[f"{verdict}{tail}"] = result.get(verdict, top.get(verdict))
        row[f"interventions{tail}"] = result.get("interventions")
        found = result.get("items") or {}
        used = [bool(found[i].get("exercised")) for i in VERDICT_ITEMS if i in found]
        row[f"exercised_items{tail}"] = sum(used) if used else None
    for item in ITEMS:
        row[f"passed_{item}"] = (
            (_window(record, "registered").get("items") or {}).get(item, {}).get("passed")
        )
    return row


def _window(record: Mapping[str, Any], window: str) -> Mapping[str, Any]:
    """The result of a window; empty for trials that were not scored."""
    if record["status"] != "scored":
        return {}
    return part(record, "windows").get(window) or {}


def _count(value: Any) -> int | None:
    """Sub-goals are stored as lists of ids or as their number."""
    return len(value) if isinstance(value, (list, tuple)) else value


def _joined(frame: pd.DataFrame, names: Sequence[str]) -> pd.Series:
    parts = [frame[name].astype("string").fillna("-") for name in names]
    return parts[0].str.cat(parts[1:], sep="/") if len(frame) else parts[0]


def _typed(rows: list[dict[str, Any]], kinds: Mapping[str, str]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=list(kinds), dtype=object)
    for name, kind in kinds.items():
        try:
            frame[name] = frame[name].astype(kind)
        except (TypeError, ValueError) as error:
            raise UserError(f"records: column `{name}` holds values that are not {kind}") from error
    return frame.sort_values("trial_id", kind="stable", ignore_index=True)
