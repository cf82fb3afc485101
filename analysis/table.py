"""A table as a value, and how it is written: Markdown, CSV, LaTeX, plain text for a terminal."""

from __future__ import annotations

import csv
import io
import re
import textwrap
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

Number = float | int | str | None
UNKNOWN = "n/a"
NO_TRIALS = np.empty(0, dtype=np.int32)
NOTE_WIDTH = 100


@dataclass(frozen=True)
class Cell:
    """What is shown, the bare numbers behind it for CSV, and the trials it was computed from, as
    places in `Frames.ids`.

    text: None where unknown (written as n/a, and as nothing in CSV). parts: name -> number; where
    a column has parts, CSV gets one column per part in place of the text.
    """

    text: str | None
    parts: Mapping[str, Number] = field(default_factory=dict)
    trials: np.ndarray = field(default_factory=lambda: NO_TRIALS, compare=False, repr=False)

    @property
    def shown(self) -> str:
        return UNKNOWN if self.text is None else self.text


@dataclass(frozen=True)
class Row:
    """Cells in the order of the columns; rows of another `group` stand apart under its name."""

    cells: tuple[Cell, ...]
    group: str = ""


@dataclass(frozen=True)
class Table:
    """name: stem of file names. columns: headings, the first one names the rows."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()

    def to_text(self) -> str:
        """Aligned plain text; wide (CJK) characters count as two columns."""
        grid = [list(self.columns), *([c.shown for c in row.cells] for row in self.rows)]
        widths = [max(map(text_width, column)) for column in zip(*grid, strict=True)]
        right = self.numeric_columns()

        def line(texts: list[str]) -> str:
            cells = zip(texts, widths, right, strict=True)
            return "  ".join(_pad(text, width, at) for text, width, at in cells).rstrip()

        rule = "  ".join("-" * width for width in widths)
        lines = [self.title, "", line(grid[0]), rule]
        for before, row, texts in zip((None, *self.rows), self.rows, grid[1:], strict=False):
            if before is not None and before.group != row.group:
                lines.append(f"-- {row.group} " if row.group else "--")
            lines.append(line(texts))
        if not self.rows:
            lines.append("(no rows)")
        notes = [line for note in self.notes for line in textwrap.wrap(note, NOTE_WIDTH)]
        return "\n".join([*lines, *([""] if notes else []), *notes]) + "\n"

    def to_markdown(self) -> str:
        """GitHub Markdown: heading, table, notes."""
        lines = [f"### {_md(self.title)}", "", _md_row(self.columns)]
        marks = ("---:" if right else "---" for right in self.numeric_columns())
        lines.append("| " + " | ".join(marks) + " |")
        for before, row in zip((None, *self.rows), self.rows, strict=False):
            if before is not None and before.group != row.group:
                lines.append(f"| *{_md(row.group)}* |" + " |" * (len(self.columns) - 1))
            lines.append(_md_row([cell.shown for cell in row.cells]))
        if not self.rows:
            lines.append("| (no rows) |" + " |" * (len(self.columns) - 1))
        return "\n".join([*lines, "", *(f"{_md(note)}\n" for note in self.notes)])

    def to_csv(self) -> str:
        """One header line; unknown is empty; columns with parts become one column per part."""
        plan: list[tuple[int, str | None, str]] = []
        for i, column in enumerate(self.columns):
            parts = dict.fromkeys(p for row in self.rows for p in row.cells[i].parts)
            plan += [(i, part, f"{_slug(column)}_{part}") for part in parts] or [
                (i, None, _slug(column))
            ]
        grouped = any(row.group for row in self.rows)
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([*(["group"] if grouped else []), *(name for _, _, name in plan)])
        for row in self.rows:
            values = [
                row.cells[i].text if part is None else row.cells[i].parts.get(part)
                for i, part, _ in plan
            ]
            writer.writerow([*([row.group] if grouped else []), *map(_csv_value, values)])
        return out.getvalue()

    def to_latex(self) -> str:
        """A booktabs table; Chinese text needs a document class or package that sets it."""
        lines = [
            "\\begin{table}",
            f"\\caption{{{_tex(self.title)}}}",
            f"\\label{{tab:{self.name}}}",
        ]
        align = "".join("r" if right else "l" for right in self.numeric_columns())
        lines += [
            f"\\begin{{tabular}}{{{align}}}",
            "\\toprule",
            _tex_row(self.columns),
            "\\midrule",
        ]
        for before, row in zip((None, *self.rows), self.rows, strict=False):
            if before is not None and before.group != row.group:
                lines.append("\\midrule")
            lines.append(_tex_row([cell.shown for cell in row.cells]))
        lines += ["\\bottomrule", "\\end{tabular}"]
        lines += [f"\\par\\footnotesize {_tex(note)}" for note in self.notes]
        return "\n".join([*lines, "\\end{table}", ""])

    def numeric_columns(self) -> list[bool]:
        """Which columns hold numbers only, and are set to the right; the first never."""
        return [i > 0 and self._is_numeric(i) for i in range(len(self.columns))]

    def _is_numeric(self, i: int) -> bool:
        texts = [row.cells[i].text for row in self.rows]
        return all(t is None or t[:1] in "+-0123456789<[" for t in texts)


def text_width(text: str) -> int:
    """Columns that `text` takes in a terminal."""
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _pad(text: str, width: int, right: bool) -> str:
    space = " " * (width - text_width(text))
    return space + text if right else text + space


def _md(text: str) -> str:
    text = re.sub(r"([\\|*`\[\]])", r"\\\1", " ".join(text.split()))
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _md_row(texts: tuple[str, ...] | list[str]) -> str:
    return "| " + " | ".join(_md(text) for text in texts) + " |"


_TEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_TEX |= {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"}
_TEX |= {char: f"\\{char}" for char in "&%$#_{}"}


def _tex(text: str) -> str:
    return "".join(_TEX.get(char, char) for char in " ".join(text.split()))


def _tex_row(texts: tuple[str, ...] | list[str]) -> str:
    # {[} keeps a leading bracket from being read as the option of the line break before it
    cells = (_tex(t).replace("[", "{[}", 1) if t.startswith("[") else _tex(t) for t in texts)
    return " & ".join(cells) + r" \\"


def _slug(text: str) -> str:
    return re.sub(r"\W+", "_", text.lower()).strip("_")


def _csv_value(value: Number) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)
