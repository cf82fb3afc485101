"""How columns of records become frames: see `analysis.frames` for what the frames are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from analysis.columns import (
    COUNTS,
    FACT_COUNTS,
    FACT_FLAGS,
    FACT_TEXT,
    FLAGS,
    NAMES,
    PHASES,
    VERDICT_ITEMS,
    VIEW,
    WINDOWS,
)
from harness.types import ITEMS

BASE = "bare"
VERDICTS = ("continued", "continued_strict")
PREFIX_KEY = ("task", "timing", "repeat", "prefix_draw", "seam_index")
PAIR_KEY = (*PREFIX_KEY, "compaction_draw", "continuation_draw")

_LATER = r"^[0-9a-f]{16}-(?P<seam>\d+)$"
"""Id of a trial at a later seam (`harness.cell`)."""

_NULLABLE = {
    pa.bool_(): pd.BooleanDtype(),
    pa.int64(): pd.Int64Dtype(),
    pa.int32(): pd.Int64Dtype(),
    pa.float64(): pd.Float64Dtype(),
}


class Maker:
    """Frames of one complete table of records, each made when it is asked for."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table
        ids = table.column("trial_id").to_pandas().astype(object).to_numpy()
        self._order = np.argsort(ids, kind="stable")
        self._place = np.empty(len(ids), dtype=np.int32)
        self._place[self._order] = np.arange(len(ids), dtype=np.int32)
        self._ids = pd.CategoricalDtype(pd.Index(ids[self._order], dtype="str"))
        self._task, self._arm, self._status = (
            _category(table.column(name)) for name in ("task", "arm", "status")
        )
        self._scored = np.asarray(self._status == "scored")

    def trials(self) -> pd.DataFrame:
        """One row per trial.

        pair_id, prefix_id: the pair key, and its part that names the prefix. shared: whether other
        arms may have gone on from the same bytes: not where the prefix is the trial's own, and not
        after its first seam. paired: true where a `bare` trial of the same pair key did. Verdicts
        and items of the registered window have plain names (`continued`, `passed_naming`); other
        windows add theirs (`continued_extended`).
        """
        columns: dict[str, Any] = {"trial_id": self._numbered(self._place)}
        columns |= {name: _category(self._column(name)) for name in NAMES}
        columns |= {n: _plain(self._column(n)) for n in FLAGS if n not in VERDICTS}
        columns |= {n: _plain(self._column(n)) for n in COUNTS}
        for name in ("repeat", "prefix_draw", "compaction_draw", "continuation_draw"):
            columns[name] = columns[name].fillna(0)
        seam = self._column("seam")
        columns["seam_turn"] = _plain(_field(seam, "turn"))
        columns["seam_index"] = _plain(self._seam_index())
        for name in ("done", "open"):
            columns[f"seam_{name}_count"] = _plain(pc.list_value_length(_field(seam, name)))
        columns |= {
            f"view_{n}_tokens": _plain(_field(self._column("view_tokens"), n)) for n in VIEW
        }
        tries = pc.list_value_length(self._column("attempts"))
        columns["attempts_count"] = _plain(pc.if_else(pc.equal(tries, 0), None, tries))
        columns |= self._verdicts()
        frame = pd.DataFrame(columns).take(self._order).reset_index(drop=True)
        return _paired(frame)

    def _seam_index(self) -> pa.ChunkedArray:
        """The seam that a record is of; one that was never reached has it in its id alone."""
        told = _field(self._column("seam"), "index")
        if told.null_count:
            of_id = _field(pc.extract_regex(self._column("trial_id"), _LATER), "seam")
            told = pc.coalesce(told, pc.cast(of_id, pa.int64()), 1)
        return told

    def _verdicts(self) -> dict[str, Any]:
        scored = pa.array(self._scored)
        out: dict[str, Any] = {}
        for window in WINDOWS:
            tail = "" if window == "registered" else f"_{window}"
            found = _field(self._column("windows"), window)
            for verdict in VERDICTS:
                value = _field(found, verdict)
                if window == "registered":
                    value = pc.coalesce(value, self._column(verdict))
                out[f"{verdict}{tail}"] = _plain(pc.if_else(scored, value, None))
        found = _field(self._column("windows"), "registered")
        out["interventions"] = _plain(pc.if_else(scored, _field(found, "interventions"), None))
        items = {i: _field(_field(found, "items"), i) for i in ITEMS}
        used = [_field(items[i], "exercised") for i in VERDICT_ITEMS]
        count = np.sum([_whole(pc.fill_null(u, False)) for u in used], axis=0, dtype=np.int64)
        known = np.any([_whole(pc.is_valid(items[i])) for i in VERDICT_ITEMS], axis=0)
        out["exercised_items"] = pd.arrays.IntegerArray(count, ~(known & self._scored))
        for item in ITEMS:
            out[f"passed_{item}"] = _plain(pc.if_else(scored, _field(items[item], "passed"), None))
        return out

    def items(self) -> pd.DataFrame:
        """One row per scored trial and rubric item of the registered window: passed (NA where
        nothing was established)."""
        found = _field(_field(self._column("windows"), "registered"), "items")
        parts = []
        for number, item in enumerate(ITEMS):
            part = _field(found, item)
            rows = np.flatnonzero(self._scored & (_whole(pc.is_valid(part)) > 0))
            part = part.take(pa.array(rows))
            count = pc.fill_null(pc.list_value_length(_field(part, "evidence")), 0)
            values = {name: _plain(_field(part, name)) for name in ("passed", "exercised")}
            codes = np.full(len(rows), number, dtype=np.int8)
            item_column = pd.Categorical.from_codes(codes, categories=list(ITEMS))
            values = {"item": item_column, **values, "evidence_count": _plain(count)}
            parts.append(self._rows(rows, values))
        return self._sorted(pd.concat(parts, ignore_index=True))

    def failure_modes(self) -> pd.DataFrame:
        """One row per scored trial and failure mode seen in it."""
        found = _field(_field(self._column("windows"), "registered"), "failure_modes")
        rows, modes = self._flat(found)
        frame = self._rows(rows, {"mode": _category(modes)}).drop_duplicates(["trial_id", "mode"])
        return self._sorted(frame)

    def facts(self) -> pd.DataFrame:
        """One row per scored trial and established fact: retention (`present`), use (`obeyed`)."""
        rows, facts = self._flat(self._column("facts"))
        values = {
            ("fact_id" if name == "id" else name): _category(_field(facts, name))
            for name in FACT_TEXT
        }
        values |= {name: _plain(_field(facts, name)) for name in (*FACT_FLAGS, *FACT_COUNTS)}
        return self._sorted(self._rows(rows, values))

    def tokens(self) -> pd.DataFrame:
        """One row per trial and phase that has numbers: tokens, money at list and cached price."""
        usage, cost = self._column("tokens"), self._column("cost_usd")
        parts = []
        for number, phase in enumerate(PHASES):
            used, paid = _field(usage, phase), _field(cost, phase)
            rows = np.flatnonzero(_whole(pc.or_(pc.is_valid(used), pc.is_valid(paid))))
            used, paid = used.take(pa.array(rows)), paid.take(pa.array(rows))
            values = {"status": self._status[rows]}
            codes = np.full(len(rows), number, dtype=np.int8)
            values["phase"] = pd.Categorical.from_codes(codes, categories=list(PHASES))
            for name in ("input", "cached", "output"):
                values[f"{name}_tokens"] = _plain(_field(used, name))
            values |= {f"{name}_usd": _plain(_field(paid, name)) for name in ("list", "cached")}
            parts.append(self._rows(rows, values))
        return self._sorted(pd.concat(parts, ignore_index=True))

    def _rows(self, rows: np.ndarray, values: Mapping[str, Any]) -> pd.DataFrame:
        """Rows of the records numbered `rows`, with the columns that all frames have."""
        base = {"trial_id": self._numbered(self._place[rows]), "task": self._task[rows]}
        return pd.DataFrame({**base, "arm": self._arm[rows], **values})

    def _flat(self, lists: pa.ChunkedArray) -> tuple[np.ndarray, pa.ChunkedArray]:
        """Elements of the lists of scored records, and the number of the record of each."""
        lists = pc.if_else(pa.array(self._scored), lists, None)
        lengths = pc.fill_null(pc.list_value_length(lists), 0).to_numpy(zero_copy_only=False)
        return np.repeat(np.arange(len(lengths)), lengths), pc.list_flatten(lists)

    def _sorted(self, frame: pd.DataFrame) -> pd.DataFrame:
        codes = frame["trial_id"].cat.codes.to_numpy()
        if (np.diff(codes) < 0).any():
            frame = frame.take(np.argsort(codes, kind="stable"))
        return frame.reset_index(drop=True)

    def _numbered(self, places: np.ndarray) -> pd.Categorical:
        return pd.Categorical.from_codes(places, dtype=self._ids, validate=False)

    def _column(self, name: str) -> pa.ChunkedArray:
        return self._table.column(name)


def _paired(frame: pd.DataFrame) -> pd.DataFrame:
    """`frame` with prefix_id, pair_id, shared and paired."""
    pair = _joined(frame, PAIR_KEY)
    shared = (frame["prefix_kind"] == "shared") & (frame["seam_index"] == 1).astype(bool)
    width = len(frame["prefix_hash"].cat.categories) + 1
    own = pair.codes.astype(np.int64) * width + frame["prefix_hash"].cat.codes.to_numpy()
    of_base = own[(shared & (frame["arm"] == BASE)).to_numpy(dtype=bool)]
    more = {"prefix_id": _joined(frame, PREFIX_KEY), "pair_id": pair, "shared": shared}
    more["paired"] = shared & np.isin(own, of_base)
    return pd.concat([frame, pd.DataFrame(more)], axis=1)


def _joined(frame: pd.DataFrame, names: Sequence[str]) -> pd.Categorical:
    """The columns `names` as one text, "-" for what is not known."""
    code = np.zeros(len(frame), dtype=np.int64)
    for name in names:
        part = pd.factorize(frame[name])[0]
        code = code * (part.max() + 2) + part + 1
    _, first, number = np.unique(code, return_index=True, return_inverse=True)
    rows = frame[list(names)].iloc[first].astype(object)
    texts = ["/".join("-" if pd.isna(v) else str(v) for v in row) for row in rows.to_numpy()]
    places, known = pd.factorize(np.asarray(texts, dtype=object), sort=True)
    return pd.Categorical.from_codes(places[number], categories=pd.Index(known, dtype="str"))


def _category(column: pa.ChunkedArray) -> pd.Categorical:
    """Text as categories in the order of the alphabet."""
    if not pa.types.is_dictionary(column.type):
        column = pc.dictionary_encode(column)
    whole = column.unify_dictionaries().combine_chunks()
    names = np.asarray(whole.dictionary.to_pylist(), dtype=object)
    order = np.argsort(names, kind="stable")
    place = np.append(np.argsort(order), -1).astype(np.int32)
    codes = pc.fill_null(whole.indices, -1).to_numpy(zero_copy_only=False)
    kind = pd.CategoricalDtype(pd.Index(names[order], dtype="str"))
    return pd.Categorical.from_codes(place[codes], dtype=kind)


def _plain(column: pa.ChunkedArray) -> Any:
    """Numbers and flags in a pandas array that knows NA."""
    return column.to_pandas(types_mapper=_NULLABLE.get).array


def _field(column: pa.ChunkedArray, name: str) -> pa.ChunkedArray:
    return pc.struct_field(column, name)


def _whole(flags: pa.ChunkedArray) -> np.ndarray:
    """Flags without a null as 0 and 1."""
    return pc.cast(flags, pa.int8()).to_numpy()
