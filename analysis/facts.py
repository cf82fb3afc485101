"""Retention and use of facts, apart: by kind, by age, by how often they were said."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.cells import flags_cell, ids_of
from analysis.frames import Frames
from analysis.table import Cell, Row, Table
from harness.types import Kind

Part = tuple[str, np.ndarray]
"""A name, and which facts belong to it."""

_NOTE = (
    "present: found in the first view after the seam. obeyed: of the facts that the window gave "
    "occasion to break. Facts of one trial are not independent: no interval is given."
)
_COLUMNS = ("facts", "present", "obeyed if present", "obeyed if absent")


def retention(f: Frames) -> Table:
    """Was the fact in the view, and was it obeyed when it mattered? By kind."""
    seen = set(f.facts["kind"].dropna())
    kinds = [kind.value for kind in Kind if kind.value in seen]
    parts = [(kind, (f.facts["kind"] == kind).to_numpy(dtype=bool)) for kind in kinds]
    columns = ("strategy", "kind", *_COLUMNS)
    title = f.title("Retention and use of facts")
    return Table("retention", title, columns, _rows(f, parts), (_NOTE, f.caption))


def by_age(f: Frames) -> Table:
    """The same by quarters of the facts' age in tokens, and by how often they were said."""
    parts = [*_quarters(f.facts["age_tokens"]), *_mentions(f.facts["mentions"])]
    notes = (
        "Age: tokens between the fact's first statement and the seam, in quarters of all facts; "
        "said: how often up to the seam. " + _NOTE,
        f.caption,
    )
    columns = ("strategy", "facts that are", *_COLUMNS)
    title = f.title("Retention and use by age and mentions")
    return Table("retention_age", title, columns, _rows(f, parts), notes)


def _quarters(age: pd.Series) -> list[Part]:
    known = age.dropna().to_numpy(dtype=float)
    if not len(known):
        return []
    ends = np.unique(np.quantile(known, [0.25, 0.5, 0.75, 1.0]).astype(int))
    values, parts, low = age.to_numpy(dtype=float, na_value=np.nan), [], -1
    for end in ends:
        parts.append((f"{low + 1:,} to {end:,} tokens old", (values > low) & (values <= end)))
        low = end
    return parts


def _mentions(mentions: pd.Series) -> list[Part]:
    values = mentions.to_numpy(dtype=float, na_value=np.nan)
    parts = [
        ("said once", values <= 1),
        ("said twice", values == 2),
        ("said more often", values > 2),
    ]
    return [(name, chosen) for name, chosen in parts if chosen.any()]


def _rows(f: Frames, parts: Sequence[Part]) -> tuple[Row, ...]:
    rows = []
    for arm in f.arms:
        of_arm = (f.facts["arm"] == arm).to_numpy(dtype=bool)
        for name, chosen in parts:
            facts = f.facts[of_arm & chosen]
            exposed = facts[facts["exposed"].fillna(False) & facts["obeyed"].notna()]
            known = facts[facts["present"].notna()]
            cells = [Cell(str(len(facts)), {"n": len(facts)}, ids_of(facts))]
            cells.append(flags_cell(known, known["present"]))
            for present in (True, False):
                group = exposed[(exposed["present"] == present).fillna(False)]
                cells.append(flags_cell(group, group["obeyed"]))
            group_name = "controls" if arm in f.controls else "strategies"
            rows.append(Row((Cell(arm), Cell(name), *cells), group_name))
    return tuple(rows)
