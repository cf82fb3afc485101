"""From a records.jsonl to a folder of tables, plots and one page that says what they mean."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from analysis import compare, frames, plots, tables
from analysis.frames import BASE, VERDICTS, Frames
from analysis.table import Table
from analysis.words import summary
from harness.errors import UserError

_VALUES = (*VERDICTS, *(f"{verdict}_extended" for verdict in VERDICTS), "continued_from_seam")


def write_report(
    records_path: Path, out_dir: Path, planned: Mapping[str, int] | None = None
) -> list[Path]:
    """Write report.md, tables/ and plots/ into `out_dir`; returns the paths written, sorted.

    planned: planned trials per arm; without it the flow says that the number is not known.
    Records of several models are reported side by side in sections, never pooled. The same
    records give the same bytes. Raises UserError (one line) for records that cannot be reported.
    """
    records = frames.load_records(records_path)
    if not records:
        raise UserError(f"{records_path}: no records yet; run `seambench run` first")
    frames.check_records(records)
    groups: dict[tuple[str, str, bool], list[dict[str, Any]]] = defaultdict(list)
    for record in records:
        groups[frames.source(record)].append(record)
    for folder in ("tables", "plots"):
        (out_dir / folder).mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    page = ["# Report", ""]
    if len(groups) > 1:
        page += [f"{len(groups)} models are reported apart; nothing is pooled over them.", ""]
    for key in sorted(groups):
        stem = "" if len(groups) == 1 else "--" + re.sub(r"\W+", "-", f"{key[0]}-{key[1]}")
        section, paths = _section(groups[key], out_dir, stem, planned)
        page += [f"## {key[0]}, agent {key[1]}", "", *section]
        written += paths
    report = out_dir / "report.md"
    report.write_text("\n".join(page).rstrip() + "\n", encoding="utf-8", newline="\n")
    return sorted([*written, report])


def summary_table(
    records: Sequence[Mapping[str, Any]], planned: Mapping[str, int] | None = None
) -> Table:
    """The first table to print: verdicts per arm and differences to `bare`."""
    f = frames.build(records)
    return tables.overview(f, compare.effects(f, compare.against_base(f, "continued")), planned)


def all_tables(
    f: Frames, found: Sequence[compare.Effect], planned: Mapping[str, int] | None
) -> list[Table]:
    """Every table of a report, in reading order. found: effects against `bare` of all values."""
    registered = [e for e in found if e.claim.value in VERDICTS]
    extended = [e for e in found if e.claim.value.endswith("_extended")]
    between = compare.effects(f, compare.between(f))
    out = [tables.flow(f, planned), tables.overview(f, found, planned), tables.rates(f)]
    out.append(tables.items(f))
    for name, title, rows in (
        ("differences", "Differences to bare", registered),
        ("differences_extended", "Differences to bare, extended window", extended),
        ("contrasts", "Differences between strategies", between),
    ):
        extra = tuple(compare.alike_note(f, v) for v in VERDICTS) if name == "differences" else ()
        out.append(compare.differences(f, rows, name, title, extra))
    out.append(compare.sensitivity(f, found))
    for verdict in VERDICTS:
        out += [tables.by_family(f, verdict), tables.by_timing(f, verdict)]
    out += [tables.modes(f), tables.retention(f), tables.normalised(f), tables.tokens(f)]
    return [*out, tables.view(f), tables.resume(f)]


def _section(
    records: Sequence[Mapping[str, Any]],
    out_dir: Path,
    stem: str,
    planned: Mapping[str, int] | None,
) -> tuple[list[str], list[Path]]:
    """The text of one model's part of the page, and the files written for it."""
    f = frames.build(records)
    found = compare.effects(f, [c for value in _VALUES for c in compare.against_base(f, value)])
    written: list[Path] = []
    page = [*summary(f, found), ""]
    for plot in (plots.forest(f, found), plots.heatmap(f)):
        if plot.name == "differences" and set(f.arms) <= {BASE}:
            continue
        paths = plots.save(plot, out_dir / "plots", stem)
        page += [f"![{plot.title}](plots/{paths[0].name})", "", plot.caption, ""]
        written += paths
    for table in all_tables(f, found, planned):
        page.append(table.to_markdown())
        for suffix, text in (
            ("csv", table.to_csv()),
            ("md", table.to_markdown()),
            ("tex", table.to_latex()),
        ):
            path = out_dir / "tables" / f"{table.name}{stem}.{suffix}"
            path.write_text(text, encoding="utf-8", newline="\n")
            written.append(path)
    return page, written
