"""The trials of a report as its page holds them: compact JSON, texts once each, sets as ranges."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from analysis.canvas import Plot
from analysis.frames import order_timings
from analysis.table import Table
from harness.types import ITEMS

_FIELDS = ("task", "family", "split", "timing", "arm", "status", "reason", "continued")
_FIELDS += ("continued_strict", "first_response", "turns_to_resume")
_STORED = ("trial_id", "status", "prefix_hash", "task_hash")

SeamOf = Callable[[Mapping[str, Any]], Mapping[str, Any] | None]
"""What is to be seen of a record around its seam; None where nothing is stored."""


def no_seam(record: Mapping[str, Any]) -> None:
    """Where there are no transcripts."""


@dataclass(frozen=True)
class Shown:
    """Of a record what the page shows, and what its seam is found by (`harness.seams`)."""

    row: Mapping[str, Any]
    stored: Mapping[str, Any]


def shown(record: Mapping[str, Any]) -> Shown:
    """What the page needs of a record, so that the rest need not be kept."""
    seam, facts = record.get("seam") or {}, record.get("facts") or []
    window = (record.get("windows") or {}).get("registered") or {}
    view = record.get("view_tokens") or {}
    row: dict[str, Any] = {"id": record["trial_id"]}
    row |= {name: _once(record[name]) for name in _FIELDS if record.get(name) is not None}
    row["prefix"] = _prefix(record)
    row["seam"] = [seam.get("turn"), _count(seam.get("done")), _count(seam.get("open"))]
    row["view"] = [view.get("before"), view.get("after")]
    if record["status"] == "scored" and window:
        row["modes"] = window.get("failure_modes") or []
        row["items"] = [_item(window.get("items", {}).get(item, {})) for item in ITEMS]
    row["head"] = _once(_json([[f["id"], f["kind"], f.get("stated_turn")] for f in facts]))
    row["facts"] = "".join(map(_fact_code, facts))
    stored = {name: _once(record.get(name)) for name in _STORED}
    window = {"registered": {"turns": window.get("turns") or []}}
    return Shown(row, stored | {"seam": {"index": seam.get("index")}, "windows": window})


def _item(result: Mapping[str, Any]) -> tuple[Any, ...]:
    evidence = (
        (e["turn"], _once(e["where"]), _once(e["what"]), _once(e["fact"]), _once(e["mode"]))
        for e in result.get("evidence") or ()
    )
    return result.get("passed"), result.get("exercised"), tuple(evidence)


@dataclass(frozen=True)
class Section:
    """The records of one run and model, and what was made of them.

    ids: trial ids by place, as cells have them. seams: what `harness.seams` tells of a record.
    """

    name: str
    summary: tuple[str, ...]
    plots: tuple[Plot, ...]
    tables: tuple[Table, ...]
    records: Sequence[Shown]
    arms: tuple[str, ...]
    controls: frozenset[str]
    simulated: bool
    ids: pd.Index
    seams: SeamOf = no_seam


class Pool(dict[str, int]):
    """Values as JSON, each once; `of` gives the number of a value, a new one where it is new."""

    def of(self, value: Any) -> int:
        return self.of_json(_json(value))

    def of_json(self, text: str) -> int:
        return self.setdefault(text, len(self))


@dataclass
class Trials:
    """The trials of all sections in a fixed order, as they are embedded: rows as JSON."""

    sections: Sequence[Section]
    texts: Pool = field(default_factory=Pool)
    says: Pool = field(default_factory=Pool)
    heads: Pool = field(default_factory=Pool)
    sets: Pool = field(default_factory=Pool)
    rows: list[str] = field(default_factory=list)
    places: list[np.ndarray] = field(default_factory=list)

    def __post_init__(self) -> None:
        for number, section in enumerate(self.sections):
            timings = order_timings({str(each.row.get("timing")) for each in section.records})
            order = {name: place for place, name in enumerate(timings)}

            def key(each: Shown, section: Section = section, order: Any = order):
                row = each.row
                arm, place = section.arms.index(row["arm"]), order[str(row.get("timing"))]
                return arm, row["task"], place, row["prefix"], row["id"]

            row_of = {}
            for each in sorted(section.records, key=key):
                row_of[each.row["id"]] = len(self.rows)
                self.rows.append(_json(self._row(number, each)))
            self.places.append(np.array([row_of[i] for i in section.ids], dtype=np.int64))

    def set_of(self, section: int, trials: np.ndarray) -> int | None:
        """Number of the set of these trials of a section, None for no trial."""
        if not len(trials):
            return None
        return self.sets.of(_ranges(np.unique(self.places[section][trials]).tolist()))

    def embedded(self) -> Iterator[str]:
        """All of it as JSON that may stand in a script element, in parts."""
        sections = [
            {"name": s.name, "arms": s.arms, "controls": sorted(s.controls), "sim": s.simulated}
            for s in self.sections
        ]
        yield _safe(f'{{"sections":{_json(sections)},"items":{_json(ITEMS)}')
        for name in ("rows", "texts", "says", "heads", "sets"):
            yield f',"{"trials" if name == "rows" else name}":['
            for number, text in enumerate(getattr(self, name)):
                yield f"{',' if number else ''}{_safe(text)}"
            yield "]"
        yield "}"

    def _row(self, section: int, each: Shown) -> dict[str, Any]:
        row: dict[str, Any] = {"id": each.row["id"], "section": section, **each.row}
        if "items" in row:
            row["items"] = [(*of, self._evidence(evidence)) for *of, evidence in row["items"]]
        row["head"] = self.heads.of_json(row["head"])
        detail = self.sections[section].seams(each.stored)
        if detail is not None:
            row["says"] = self.says.of(detail["says"])
            row["detail"] = self._detail(detail)
        return row

    def _evidence(self, evidence: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        told = self.texts.of
        return [(turn, told(where), told(what), *of) for turn, where, what, *of in evidence]

    def _detail(self, detail: Mapping[str, Any]) -> dict[str, Any]:
        told = self.texts.of
        turns = [
            [
                turn["n"],
                turn["phase"],
                told(turn["say"]),
                [told(question) for question in turn["asks"]],
                [[tool, told(what), ok, told(back)] for tool, what, ok, back in turn["calls"]],
                [[path, told(change)] for path, change in turn["files"]],
            ]
            for turn in detail["turns"]
        ]
        carried = {k: [[role, told(t)] for role, t in detail[k]] for k in ("carried", "injected")}
        return {"noop": detail["noop"], "kept": detail["kept"], **carried, "turns": turns}


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _safe(text: str) -> str:
    """JSON that ends no script element, and of which every character can be written."""
    text = re.sub("[\ud800-\udfff]", "\ufffd", text)  # half a character cannot be written
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _once(value: Any) -> Any:
    """The same text, in memory once however many records have it."""
    return sys.intern(value) if type(value) is str else value


def _prefix(record: Mapping[str, Any]) -> str:
    """Name of the prefix that arms are laid side by side for."""
    parts = [record["task"], record.get("timing") or "-"]
    parts += [str(record.get(name) or 0) for name in ("repeat", "prefix_draw")]
    return " ".join([*parts, str((record.get("seam") or {}).get("index") or 1)])


def _count(value: Any) -> Any:
    return len(value) if isinstance(value, (list, tuple)) else value


def _fact_code(fact: Mapping[str, Any]) -> str:
    """One digit: 3 x (not exposed, obeyed, broken) + (lost, present, unknown)."""
    present = {False: 0, True: 1}.get(fact.get("present"), 2)
    use = {True: 1, False: 2}.get(fact.get("obeyed"), 0) if fact.get("exposed") else 0
    return str(3 * use + present)


def _ranges(numbers: Sequence[int]) -> list[int]:
    """[3, 4, 5, 9] -> [3, 3, 9, 1]: start, length, start, length ..."""
    out: list[int] = []
    for number in numbers:
        if out and out[-2] + out[-1] == number:
            out[-1] += 1
        else:
            out += [number, 1]
    return out
