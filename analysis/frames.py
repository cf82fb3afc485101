"""Tidy tables from records: one row per thing, stable ids, units in the column names.

Unknown stays unknown: booleans are pandas `boolean`, counts `Int64`, money `Float64`, so that a
missing value is NA and never counts as failed or as zero; names are categories, in the order of
the alphabet. Rows are sorted by trial id: the order in which trials finished leaves no trace. The
code of a `trial_id` is the place of the trial among all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from analysis.columns import PHASES, VERDICT_ITEMS, complete, to_table
from analysis.records import Source, check, sources
from analysis.tidy import BASE, VERDICTS, Maker
from harness.errors import UserError
from harness.types import BANDS, CONTROLS

__all__ = ["BASE", "MAIN_ARMS", "PHASES", "VERDICTS", "VERDICT_ITEMS", "Frames", "build"]

MAIN_ARMS = (BASE, "long_mem", "engram", "combined")


@dataclass(frozen=True, eq=False)
class Frames:
    """All frames of one set of records that may be pooled: one source, one rubric.

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
    source: Source
    caption: str

    @property
    def ids(self) -> pd.Index:
        """Trial ids; the places that cells hold are places in it."""
        return self.every_seam["trial_id"].cat.categories

    @cached_property
    def seams(self) -> tuple[int, ...]:
        """The seams that there are records of: more than one where seams follow each other."""
        return tuple(sorted(int(n) for n in self.every_seam["seam_index"].unique()))

    @property
    def simulated(self) -> bool:
        """Whether the agent is the reference worker."""
        return self.source.simulated

    def title(self, text: str) -> str:
        """`text`, marked where the agent is no real model, or not who wrote the summaries."""
        marks = ["simulated: reference worker"] if self.simulated else []
        marks += [f"summaries by {self.source.summariser}"] if self.source.summariser else []
        return f"{text} ({'; '.join(marks)})" if marks else text

    def scored(self, arm: str | None = None) -> pd.DataFrame:
        """Rows of `trials` that were scored, of one arm or of all."""
        return self._scored if arm is None else self._scored_by_arm.get(arm, self._scored[:0])

    def of_arm(self, frame: str, arm: str) -> pd.DataFrame:
        """Rows of a frame, named, that belong to one arm."""
        if frame not in self._by_arm:
            self._by_arm[frame] = _split(getattr(self, frame))
        return self._by_arm[frame].get(arm, getattr(self, frame)[:0])

    @cached_property
    def _scored(self) -> pd.DataFrame:
        return self.trials[self.trials["status"] == "scored"]

    @cached_property
    def _scored_by_arm(self) -> dict[str, pd.DataFrame]:
        return _split(self._scored)

    @cached_property
    def _by_arm(self) -> dict[str, dict[str, pd.DataFrame]]:
        """Frames that were asked for by arm: each takes as much memory again."""
        return {}


def _split(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    return {str(arm): rows for arm, rows in frame.groupby("arm", observed=True)}


def build(records: Sequence[Mapping[str, Any]] | pa.Table) -> Frames:
    """All frames of `records`. Raises UserError where they mix sources, or are none."""
    if len(records) == 0:
        raise UserError("no records: the run is empty; start it with `seambench run`")
    table = complete(records if isinstance(records, pa.Table) else to_table(records))
    check(table)
    kinds = sources(table)
    if len(kinds) > 1:
        names = "; ".join(kind.named for kind in kinds)
        raise UserError(f"records mix models ({names}); report them one at a time")
    source = kinds[0]
    made = Maker(table)
    every = made.trials()
    strategy = every["strategy"].astype(object).fillna(every["arm"].astype(object))
    known = dict(zip(every["arm"].astype(object), strategy, strict=True))
    controls = frozenset(a for a, s in known.items() if a in CONTROLS or s in CONTROLS)
    facts = made.facts()
    first = (every["seam_index"] == 1).to_numpy(dtype=bool)
    frame = every[first].reset_index(drop=True)
    scored = frame[frame["status"] == "scored"]
    splits = "+".join(sorted(frame["split"].dropna().unique()))
    return Frames(
        trials=frame,
        items=_of_first(made.items(), first),
        facts=_of_first(facts, first),
        tokens=_of_first(made.tokens(), first),
        modes=_of_first(made.failure_modes(), first),
        every_seam=every,
        every_fact=facts,
        arms=tuple(order_arms(known)),
        controls=controls,
        source=source,
        caption=f"{len(scored)} scored trials of {scored['task'].nunique()} tasks; "
        f"{source.told}{f', split {splits}' if splits else ''}",
    )


def _of_first(frame: pd.DataFrame, first: np.ndarray) -> pd.DataFrame:
    if first.all():
        return frame
    return frame[first[frame["trial_id"].cat.codes]].reset_index(drop=True)


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
