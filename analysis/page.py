"""report.html: one file with every table, every plot and the seam viewer; needs no network.

The trials are embedded as compact JSON (texts once each, sets of trials as ranges) and drawn on
demand by report.js, which puts text into the page as text only: what a model wrote is never read
as HTML.
"""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

import numpy as np
import pandas as pd
from markupsafe import Markup, escape

from analysis import canvas
from analysis.canvas import Plot
from analysis.frames import order_timings
from analysis.table import Cell, Table
from harness.types import ITEMS

LONG = 30
"""Tables with more rows are folded at first."""

_FIELDS = ("task", "family", "split", "timing", "arm", "status", "reason", "continued")
_FIELDS += ("continued_strict", "first_response", "turns_to_resume")


@dataclass(frozen=True)
class Section:
    """The records of one run and model, and what was made of them.

    ids: trial ids by place, as cells have them. seams: trial id -> what `harness.seams` tells.
    """

    name: str
    summary: tuple[str, ...]
    plots: tuple[Plot, ...]
    tables: tuple[Table, ...]
    records: tuple[Mapping[str, Any], ...]
    arms: tuple[str, ...]
    controls: frozenset[str]
    simulated: bool
    ids: pd.Index
    seams: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass
class Pool:
    """Values, each once; `of` gives the number of a value, a new one where it is new."""

    values: list[Any] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)

    def of(self, value: Any) -> int:
        key = json.dumps(value, ensure_ascii=False)
        if key not in self.numbers:
            self.numbers[key] = len(self.values)
            self.values.append(value)
        return self.numbers[key]


@dataclass
class Trials:
    """The trials of all sections in a fixed order, as they are embedded."""

    sections: Sequence[Section]
    texts: Pool = field(default_factory=Pool)
    says: Pool = field(default_factory=Pool)
    heads: Pool = field(default_factory=Pool)
    sets: Pool = field(default_factory=Pool)
    rows: list[dict[str, Any]] = field(default_factory=list)
    places: list[np.ndarray] = field(default_factory=list)

    def __post_init__(self) -> None:
        for number, section in enumerate(self.sections):
            timings = order_timings({str(r.get("timing")) for r in section.records})
            order = {name: place for place, name in enumerate(timings)}

            def key(record: Mapping[str, Any], section: Section = section, order: Any = order):
                arm = section.arms.index(record["arm"])
                place = order[str(record.get("timing"))]
                return arm, record["task"], place, _prefix(record), record["trial_id"]

            row_of = {}
            for record in sorted(section.records, key=key):
                row_of[record["trial_id"]] = len(self.rows)
                self.rows.append(self._row(number, record))
            self.places.append(np.array([row_of[i] for i in section.ids], dtype=np.int64))

    def set_of(self, section: int, trials: np.ndarray) -> int | None:
        """Number of the set of these trials of a section, None for no trial."""
        if not len(trials):
            return None
        return self.sets.of(_ranges(np.unique(self.places[section][trials]).tolist()))

    def embedded(self) -> str:
        """All of it as JSON that may stand in a script element."""
        sections = [
            {"name": s.name, "arms": s.arms, "controls": sorted(s.controls), "sim": s.simulated}
            for s in self.sections
        ]
        data = {"sections": sections, "items": ITEMS, "trials": self.rows}
        data |= {name: getattr(self, name).values for name in ("texts", "says", "heads", "sets")}
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        text = re.sub("[\ud800-\udfff]", "\ufffd", text)  # half a character cannot be written
        return (
            text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
        )

    def _row(self, section: int, record: Mapping[str, Any]) -> dict[str, Any]:
        row: dict[str, Any] = {"id": record["trial_id"], "section": section}
        row |= {name: record.get(name) for name in _FIELDS if record.get(name) is not None}
        row["prefix"] = _prefix(record)
        seam = record.get("seam") or {}
        row["seam"] = [seam.get("turn"), _count(seam.get("done")), _count(seam.get("open"))]
        view = record.get("view_tokens") or {}
        row["view"] = [view.get("before"), view.get("after")]
        window = (record.get("windows") or {}).get("registered") or {}
        if record["status"] == "scored" and window:
            row["modes"] = window.get("failure_modes") or []
            row["items"] = [self._item(window.get("items", {}).get(item, {})) for item in ITEMS]
        facts = record.get("facts") or []
        row["head"] = self.heads.of([[f["id"], f["kind"], f.get("stated_turn")] for f in facts])
        row["facts"] = "".join(map(_fact_code, facts))
        detail = self.sections[section].seams.get(record["trial_id"])
        if detail is not None:
            row["says"] = self.says.of(detail["says"])
            row["detail"] = self._detail(detail)
        return row

    def _item(self, result: Mapping[str, Any]) -> list[Any]:
        evidence = [
            [e["turn"], self.texts.of(e["where"]), self.texts.of(e["what"]), e["fact"], e["mode"]]
            for e in result.get("evidence") or ()
        ]
        return [result.get("passed"), result.get("exercised"), evidence]

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


def html(sections: Sequence[Section], across: Table | None) -> str:
    """The page. across: a table over all sections, shown before them."""
    from jinja2 import Environment, StrictUndefined

    trials = Trials(sections)
    folder = files("analysis")
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    template = environment.from_string((folder / "report.html").read_text(encoding="utf-8"))
    environment.globals |= {"LONG": LONG}
    shown = [_shown(number, section, trials) for number, section in enumerate(sections)]
    return template.render(
        style=Markup((folder / "report.css").read_text(encoding="utf-8")),
        script=Markup((folder / "report.js").read_text(encoding="utf-8")),
        sections=shown,
        across=_linked(across, "side-by-side", lambda cell: None) if across else None,
        data=Markup(trials.embedded()),  # after the tables, which name sets of trials
        simulated=all(section.simulated for section in sections),
    )


def _shown(number: int, section: Section, trials: Trials) -> dict[str, Any]:
    """What the template needs of a section."""
    plots = [
        {"id": f"p{number}-{p.name}", "title": p.title, "caption": p.caption, "image": _image(p)}
        for p in section.plots
    ]
    tables = [
        _linked(t, f"t{number}-{t.name}", lambda cell: trials.set_of(number, cell.trials))
        for t in section.tables
    ]
    return {
        "name": section.name,
        "summary": prose(section.summary),
        "plots": plots,
        "tables": tables,
    }


def _linked(table: Table, name: str, set_of: Callable[[Cell], int | None]) -> dict[str, Any]:
    groups, right = _groups(table, set_of), table.numeric_columns()
    return {"id": name, "table": table, "groups": groups, "right": right}


Linked = tuple[str, int | None]
"""What a cell shows, and the number of the set of its trials."""


def _groups(
    table: Table, set_of: Callable[[Cell], int | None]
) -> list[tuple[str, list[list[Linked]]]]:
    """Rows under the name of their group, in order."""
    groups: list[tuple[str, list[list[Linked]]]] = []
    for row in table.rows:
        if not groups or groups[-1][0] != row.group:
            groups.append((row.group, []))
        groups[-1][1].append([(cell.shown, set_of(cell)) for cell in row.cells])
    return groups


def prose(lines: Sequence[str]) -> Markup:
    """The few forms of Markdown that a summary uses: headings, lists, code."""
    out: list[str] = []
    listed = False
    for line in lines:
        text = re.sub(r"`([^`]*)`", r"<code>\1</code>", str(escape(line.lstrip("#- "))))
        if line.startswith("- ") != listed:
            listed = not listed
            out.append("<ul>" if listed else "</ul>")
        if listed:
            out.append(f"<li>{text}</li>")
        elif text:
            out.append(f"<h3>{text}</h3>" if line.startswith("#") else f"<p>{text}</p>")
    return Markup("\n".join([*out, *(["</ul>"] if listed else [])]))


def _image(plot: Plot) -> str:
    """The plot as a data address. Within an image, nothing of an SVG can reach the page."""
    buffer = io.BytesIO()
    canvas.write_svg(plot, buffer)
    return "data:image/svg+xml;base64," + base64.b64encode(buffer.getvalue()).decode("ascii")


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
