"""From a records.jsonl to a folder of tables, plots and pages that say what they mean."""

from __future__ import annotations

import gc
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from analysis import (
    canvas,
    compare,
    components,
    curves,
    factors,
    facts,
    flow,
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
from analysis.embedded import SeamOf, Section, Shown, no_seam, shown
from analysis.frames import BASE, VERDICTS, Frames
from analysis.records import by_source, check, check_weights, load_columns
from analysis.table import Table
from analysis.words import summary

_VALUES = (*VERDICTS, *(f"{verdict}_extended" for verdict in VERDICTS), "continued_from_seam")


@dataclass(frozen=True)
class Run:
    """A run to report, and what may be used beside its records.

    name: shown where there are several. planned: planned trials per arm; without it the flow says
    that the number is not known. claims: the file of claims. seams: what is to be seen of a record
    around its seam (`harness.seams`). error_rates: the scorer's, as `seambench audit-score` counts
    them. weights: item -> high, medium or none, by the rubric; verdicts are checked by them.
    verified: a line that says whether the records were scored again.
    """

    records: Path
    name: str = ""
    planned: Mapping[str, int] | None = None
    claims: Path | None = None
    seams: SeamOf = no_seam
    error_rates: Rates | None = None
    weights: Mapping[str, str] | None = None
    verified: str = ""


class Group(NamedTuple):
    """Name of a section, its run, and its records: what is shown of each, and what is counted."""

    name: str
    run: Run
    records: Sequence[Shown]
    frames: Frames


class Written(NamedTuple):
    """Paths of a report, sorted, and the first table of each section."""

    paths: list[Path]
    overviews: list[Table]


def write_report(runs: Sequence[Run], out_dir: Path) -> Written:
    """Write report.html, report.md, tables/ and plots/.

    Runs, and models within a run, are reported side by side in sections, never pooled. The same
    records give the same bytes. Raises UserError (one line) for records that cannot be reported.
    """
    groups = _told_apart([g for run in runs for g in _groups_of(run, several=len(runs) > 1)])
    gc.freeze()  # statsmodels has all garbage collected, again and again: the records are none
    try:
        return _written(groups, out_dir)
    finally:
        gc.unfreeze()


def _written(groups: Sequence[Group], out_dir: Path) -> Written:
    """The files of a report on groups of records."""
    for folder in ("tables", "plots"):
        (out_dir / folder).mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    lines = ["# Report", ""]
    sections = [_section(group) for group in groups]
    across = None
    if len(groups) > 1:
        lines += [f"{len(groups)} groups are reported apart; nothing is pooled over them.", ""]
        across = tables.side_by_side([(group.name, group.frames) for group in groups])
        lines.append(across.to_markdown())
        written += _write_table(across, out_dir, "")
    for section in sections:
        text, paths = _write_section(section, out_dir, _stem(section.name, groups))
        lines += text
        written += paths
    page_path, report = out_dir / "report.html", out_dir / "report.md"
    page.write(page_path, sections, across)
    report.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8", newline="\n")
    overviews = [section.tables[0] for section in sections]
    return Written(sorted([*written, report, page_path]), overviews)


def _groups_of(run: Run, *, several: bool) -> Iterator[Group]:
    """The records of a run by who made them."""
    table, kept = load_columns(run.records, shown)
    check(table)
    if run.weights:
        check_weights(table, run.weights)
    groups = by_source(table)
    if len(groups) > 1:  # how many were planned is known of the run, not of each model
        run = replace(run, planned=None)
    for source, places in groups.items():
        name = source.named
        mine = table if len(groups) == 1 else table.take(pa.array(places))
        records = [kept[place] for place in places]
        yield Group(f"{run.name}: {name}" if several else name, run, records, frames.build(mine))


def _told_apart(groups: list[Group]) -> list[Group]:
    """Groups of one name (folders of one name in two places) get a number."""
    seen: Counter[str] = Counter()
    out = []
    for group in groups:
        seen[group.name] += 1
        number = seen[group.name]
        out.append(group if number == 1 else group._replace(name=f"{group.name} ({number})"))
    return out


def write_plots(run: Run, out_dir: Path) -> list[Path]:
    """Write the plots of a run as PNG and SVG; returns the paths written, sorted."""
    groups = list(_groups_of(run, several=False))
    out_dir.mkdir(parents=True, exist_ok=True)
    written = []
    for group in groups:
        for plot in all_plots(group.frames, effects(group.frames)):
            written += canvas.save(plot, out_dir, _stem(group.name, groups))
    return sorted(written)


def _stem(name: str, groups: Sequence[Any]) -> str:
    """What tells files of one of several groups from those of the others."""
    return "" if len(groups) == 1 else "--" + re.sub(r"\W+", "-", name)


def _section(group: Group) -> Section:
    """Everything about the records of one model."""
    f, run = group.frames, group.run
    found = effects(f)
    return Section(
        name=group.name,
        summary=(*([run.verified, ""] if run.verified else []), *summary(f, found, run.planned)),
        plots=tuple(all_plots(f, found)),
        tables=tuple(all_tables(f, found, run)),
        records=group.records,
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
    out = [tables.overview(f, found, given.planned), flow.flow(f, given.planned)]
    out += [tables.rates(f), tables.items(f)]
    out.append(compare.differences(f, registered, "differences", "Differences to bare", alike))
    title = "Differences to bare, extended window"
    out.append(compare.differences(f, extended, "differences_extended", title))
    out.append(compare.differences(f, contrasts, "contrasts", "Differences between strategies"))
    out += _designs(f, given.planned)
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


def _designs(f: Frames, planned: Mapping[str, int] | None) -> list[Table]:
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
    if len(f.seams) > 1:
        out.append(factors.seams(f, planned))
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
