"""From a records.jsonl to a folder of tables, plots and pages that say what they mean."""

from __future__ import annotations

import gc
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from analysis import (
    canvas,
    compare,
    components,
    curves,
    factors,
    facts,
    frames,
    page,
    plots,
    power,
    recovery,
    robust,
    tables,
)
from analysis.agreement import Rates, corrected_table
from analysis.canvas import Plot
from analysis.claims import claims_table
from analysis.columns import complete, to_table
from analysis.frames import BASE, VERDICTS, Frames
from analysis.page import Section
from analysis.records import by_source, check, load_records
from analysis.table import Table
from analysis.words import summary
from harness.errors import UserError

_VALUES = (*VERDICTS, *(f"{verdict}_extended" for verdict in VERDICTS), "continued_from_seam")


@dataclass(frozen=True)
class Run:
    """A run to report, and what may be used beside its records.

    name: shown where there are several. planned: planned trials per arm; without it the flow says
    that the number is not known. claims: the file of claims. seams: trial id -> what is to be seen
    of it around its seam (`harness.seams`). error_rates: the scorer's, as `seambench audit-score`
    counts them.
    """

    records: Path
    name: str = ""
    planned: Mapping[str, int] | None = None
    claims: Path | None = None
    seams: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    error_rates: Rates | None = None


Group = tuple[str, Run, list[Mapping[str, Any]], pa.Table]
"""Name of a section, its run, and its records: as they are, and as columns."""


def write_report(runs: Sequence[Run], out_dir: Path) -> list[Path]:
    """Write report.html, report.md, tables/ and plots/; returns the paths written, sorted.

    Runs, and models within a run, are reported side by side in sections, never pooled. The same
    records give the same bytes. Raises UserError (one line) for records that cannot be reported.
    """
    groups = _told_apart([g for run in runs for g in _groups_of(run, several=len(runs) > 1)])
    gc.freeze()  # statsmodels has all garbage collected, again and again: the records are none
    try:
        return _written(groups, out_dir)
    finally:
        gc.unfreeze()


def _written(groups: Sequence[Group], out_dir: Path) -> list[Path]:
    """The files of a report on groups of records."""
    for folder in ("tables", "plots"):
        (out_dir / folder).mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    lines = ["# Report", ""]
    sections, made = [], []
    for name, run, records, table in groups:
        f = frames.build(table)
        made.append((name, f))
        sections.append(_section(name, records, f, run))
    across = None
    if len(groups) > 1:
        lines += [f"{len(groups)} groups are reported apart; nothing is pooled over them.", ""]
        across = tables.side_by_side(made)
        lines.append(across.to_markdown())
        written += _write_table(across, out_dir, "")
    for section in sections:
        text, paths = _write_section(section, out_dir, _stem(section.name, groups))
        lines += text
        written += paths
    page_path, report = out_dir / "report.html", out_dir / "report.md"
    page_path.write_text(page.html(sections, across), encoding="utf-8", newline="\n")
    report.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8", newline="\n")
    return sorted([*written, report, page_path])


def _groups_of(run: Run, *, several: bool) -> Iterator[Group]:
    """The records of a run by who made them."""
    records = load_records(run.records)
    if not records:
        raise UserError(f"{run.records}: no records yet; run `seambench run` first")
    table = complete(to_table(records))
    check(table)
    for source, group in by_source(records).items():
        name = source.named
        ids = pa.array([record["trial_id"] for record in group])
        mine = table.filter(pc.is_in(table["trial_id"], ids))
        yield f"{run.name}: {name}" if several else name, run, group, mine


def _told_apart(groups: list[Group]) -> list[Group]:
    """Groups of one name (folders of one name in two places) get a number."""
    seen: Counter[str] = Counter()
    out = []
    for name, *rest in groups:
        seen[name] += 1
        out.append((name if seen[name] == 1 else f"{name} ({seen[name]})", *rest))
    return out


def overviews(
    records: Sequence[Mapping[str, Any]], planned: Mapping[str, int] | None = None
) -> list[Table]:
    """The first table to print, per model: verdicts per arm and differences to `bare`."""
    built = [frames.build(group) for group in by_source(records).values()]
    return [
        tables.overview(f, compare.effects(f, compare.against_base(f, "continued")), planned)
        for f in built
    ]


def write_plots(records: Path, out_dir: Path) -> list[Path]:
    """Write the plots of a run as PNG and SVG; returns the paths written, sorted."""
    groups = list(_groups_of(Run(records), several=False))
    out_dir.mkdir(parents=True, exist_ok=True)
    written = []
    for name, _, _, table in groups:
        f = frames.build(table)
        for plot in all_plots(f, effects(f)):
            written += canvas.save(plot, out_dir, _stem(name, groups))
    return sorted(written)


def _stem(name: str, groups: Sequence[Any]) -> str:
    """What tells files of one of several groups from those of the others."""
    return "" if len(groups) == 1 else "--" + re.sub(r"\W+", "-", name)


def _section(name: str, records: Sequence[Mapping[str, Any]], f: Frames, run: Run) -> Section:
    """Everything about the records of one model."""
    found = effects(f)
    return Section(
        name=name,
        summary=tuple(summary(f, found)),
        plots=tuple(all_plots(f, found)),
        tables=tuple(all_tables(f, found, run)),
        records=tuple(records),
        arms=f.arms,
        controls=f.controls,
        simulated=f.simulated,
        ids=f.ids,
        seams=run.seams,
    )


def effects(f: Frames) -> list[compare.Effect]:
    """Every arm against `bare` in all verdicts of a report."""
    return compare.effects(f, [c for value in _VALUES for c in compare.against_base(f, value)])


def all_plots(f: Frames, found: Sequence[compare.Effect]) -> list[Plot]:
    """Every plot for which there is something to draw, in reading order."""
    first = None if set(f.arms) <= {BASE} else plots.forest(f, found)
    rest = (plots.heatmap, curves.timing_curve, curves.retention, curves.cost, curves.view_sizes)
    made = [first, *(draw(f) for draw in (*rest, curves.lost_by_seam, plots.strip))]
    return [plot for plot in made if plot is not None]


def all_tables(f: Frames, found: Sequence[compare.Effect], given: Run) -> list[Table]:
    """Every table of a report, in reading order. found: effects against `bare` of all values."""
    registered = [e for e in found if e.claim.value in VERDICTS]
    extended = [e for e in found if e.claim.value.endswith("_extended")]
    alike = tuple(compare.alike_note(f, v) for v in VERDICTS)
    contrasts = compare.effects(f, compare.between(f))
    out = [tables.overview(f, found, given.planned), tables.flow(f, given.planned)]
    out += [tables.rates(f), tables.items(f)]
    out.append(compare.differences(f, registered, "differences", "Differences to bare", alike))
    title = "Differences to bare, extended window"
    out.append(compare.differences(f, extended, "differences_extended", title))
    out.append(compare.differences(f, contrasts, "contrasts", "Differences between strategies"))
    out += _designs(f)
    for verdict in VERDICTS:
        out += [tables.by_family(f, verdict), tables.by_timing(f, verdict)]
    out += [
        tables.modes(f),
        facts.retention(f),
        facts.by_age(f),
        recovery.recovery(f),
        recovery.effort(f),
    ]
    out += [tables.tokens(f), tables.view(f), tables.normalised(f)]
    out += [
        power.power(f, found),
        robust.sensitivity(f, found),
        robust.weightings(f),
        robust.left_out(f),
    ]
    if given.error_rates:
        out.append(corrected_table(f, found, given.error_rates))
    return [*out, *([claims_table(f, given.claims)] if given.claims else [])]


def _designs(f: Frames) -> list[Table]:
    """Tables that only some designs have."""
    out = []
    ablations = compare.variants(f)
    if ablations:
        found = compare.effects(f, ablations)
        out.append(compare.differences(f, found, "ablations", "Variants against their plain form"))
    if factors.four_arms(f.arms):
        out.append(factors.interaction(f))
    if components.several_draws(f):
        out.append(components.components(f))
    if factors.several_seams(f):
        out.append(factors.seams(f))
    return out


def _write_section(section: Section, out_dir: Path, stem: str) -> tuple[list[str], list[Path]]:
    """The text of one model's part of report.md, and the files written for it."""
    written: list[Path] = []
    lines = [f"## {section.name}", "", *section.summary, ""]
    for plot in section.plots:
        paths = canvas.save(plot, out_dir / "plots", stem)
        lines += [f"![{plot.title}](plots/{paths[0].name})", "", plot.caption, ""]
        written += paths
    for table in section.tables:
        lines.append(table.to_markdown())
        written += _write_table(table, out_dir, stem)
    return lines, written


def _write_table(table: Table, out_dir: Path, stem: str) -> list[Path]:
    forms = {"csv": table.to_csv(), "md": table.to_markdown(), "tex": table.to_latex()}
    written = []
    for suffix, text in forms.items():
        path = out_dir / "tables" / f"{table.name}{stem}.{suffix}"
        path.write_text(text, encoding="utf-8", newline="\n")
        written.append(path)
    return written
