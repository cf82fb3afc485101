"""From a records.jsonl to a folder of tables, plots and pages that say what they mean."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analysis import canvas, compare, curves, factors, frames, page, plots, recovery, robust, tables
from analysis.agreement import Rates, corrected_table
from analysis.canvas import Plot
from analysis.claims import claims_table
from analysis.frames import BASE, VERDICTS, Frames
from analysis.page import Section
from analysis.records import by_source, check_records, load_records
from analysis.table import Table
from analysis.words import summary
from harness.errors import UserError

_VALUES = (*VERDICTS, *(f"{verdict}_extended" for verdict in VERDICTS), "continued_from_seam")


@dataclass(frozen=True)
class Sources:
    """What a report may use beside the records.

    planned: planned trials per arm; without it the flow says that the number is not known.
    claims: the file of claims. seams: trial id -> what is to be seen of it around its seam
    (`harness.seams`). error_rates: the scorer's, as `seambench audit-score` counts them.
    """

    planned: Mapping[str, int] | None = None
    claims: Path | None = None
    seams: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    error_rates: Rates | None = None


def write_report(records_path: Path, out_dir: Path, given: Sources | None = None) -> list[Path]:
    """Write report.html, report.md, tables/ and plots/; returns the paths written, sorted.

    Records of several models are reported side by side in sections, never pooled. The same
    records give the same bytes. Raises UserError (one line) for records that cannot be reported.
    """
    given = given or Sources()
    records = load_records(records_path)
    if not records:
        raise UserError(f"{records_path}: no records yet; run `seambench run` first")
    check_records(records)
    groups = by_source(records)
    for folder in ("tables", "plots"):
        (out_dir / folder).mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    lines = ["# Report", ""]
    if len(groups) > 1:
        lines += [f"{len(groups)} models are reported apart; nothing is pooled over them.", ""]
    sections = []
    for key, group in groups.items():
        stem = "" if len(groups) == 1 else "--" + re.sub(r"\W+", "-", f"{key[0]}-{key[1]}")
        section = _section(f"{key[0]}, agent {key[1]}", group, given)
        sections.append(section)
        text, paths = _write_section(section, out_dir, stem)
        lines += text
        written += paths
    page_path, report = out_dir / "report.html", out_dir / "report.md"
    page_path.write_text(page.html(sections, given.seams), encoding="utf-8", newline="\n")
    report.write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8", newline="\n")
    return sorted([*written, report, page_path])


def summary_table(
    records: Sequence[Mapping[str, Any]], planned: Mapping[str, int] | None = None
) -> Table:
    """The first table to print: verdicts per arm and differences to `bare`."""
    f = frames.build(records)
    return tables.overview(f, compare.effects(f, compare.against_base(f, "continued")), planned)


def _section(name: str, records: Sequence[Mapping[str, Any]], given: Sources) -> Section:
    """Everything about the records of one model."""
    f = frames.build(records)
    found = compare.effects(f, [c for value in _VALUES for c in compare.against_base(f, value)])
    return Section(
        name=name,
        summary=tuple(summary(f, found)),
        plots=tuple(all_plots(f, found)),
        tables=tuple(all_tables(f, found, given)),
        records=tuple(records),
        arms=f.arms,
        controls=f.controls,
        simulated=f.simulated,
    )


def all_plots(f: Frames, found: Sequence[compare.Effect]) -> list[Plot]:
    """Every plot for which there is something to draw, in reading order."""
    first = None if set(f.arms) <= {BASE} else plots.forest(f, found)
    rest = (plots.heatmap, curves.timing_curve, curves.retention, curves.cost, curves.view_sizes)
    made = [first, *(draw(f) for draw in (*rest, curves.lost_by_seam, curves.strip))]
    return [plot for plot in made if plot is not None]


def all_tables(f: Frames, found: Sequence[compare.Effect], given: Sources) -> list[Table]:
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
    out += [tables.modes(f), tables.retention(f), recovery.recovery(f), recovery.effort(f)]
    out += [tables.tokens(f), tables.view(f), tables.normalised(f)]
    out += [
        robust.power(f, found),
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
        for suffix, text in (
            ("csv", table.to_csv()),
            ("md", table.to_markdown()),
            ("tex", table.to_latex()),
        ):
            path = out_dir / "tables" / f"{table.name}{stem}.{suffix}"
            path.write_text(text, encoding="utf-8", newline="\n")
            written.append(path)
    return lines, written
