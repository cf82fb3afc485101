"""report.html: one file with every table, every plot and the seam viewer; needs no network.

The trials are embedded (`analysis.embedded`) and drawn on demand by report.js, which puts text
into the page as text only: what a model wrote is never read as HTML.
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from analysis import canvas
from analysis.canvas import Plot
from analysis.embedded import Section, Trials
from analysis.table import Cell, Table

LONG = 30
"""Tables with more rows are folded at first."""


def write(path: Path, sections: Sequence[Section], across: Table | None) -> None:
    """Write the page. across: a table over all sections, shown before them."""
    from jinja2 import Environment, StrictUndefined

    trials = Trials(sections)
    folder = files("analysis")
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    template = environment.from_string((folder / "report.html").read_text(encoding="utf-8"))
    environment.globals |= {"LONG": LONG}
    described = [_described(number, section, trials) for number, section in enumerate(sections)]
    stream = template.stream(
        style=Markup((folder / "report.css").read_text(encoding="utf-8")),
        script=Markup((folder / "report.js").read_text(encoding="utf-8")),
        sections=described,
        across=_linked(across, "side-by-side", lambda cell: None) if across else None,
        data=map(Markup, trials.embedded()),  # after the tables, which name sets of trials
        simulated=all(section.simulated for section in sections),
    )
    stream.enable_buffering(1000)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(stream)


def _described(number: int, section: Section, trials: Trials) -> dict[str, Any]:
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
