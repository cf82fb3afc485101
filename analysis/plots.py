"""Plots: which items hold under which strategy, and paired differences against `bare`.

Drawn with matplotlib's Agg and SVG backends through the object interface, so that nothing outside
a figure is changed. Only the font that comes with matplotlib is used: the same records give the
same bytes on every machine. A name that the font cannot draw (Chinese, say) is shown as a number
and spelled out in the caption of the report.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

import matplotlib
import pandas as pd
from matplotlib import font_manager, style
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import Colormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from analysis import cells, compare
from analysis.frames import BASE, VERDICTS, Frames
from harness.types import ITEMS

_P = ParamSpec("_P")
_R = TypeVar("_R")
FONT = "DejaVu Sans"
DPI = 150
_STYLE = {"font.family": FONT, "font.size": 9, "svg.hashsalt": "seambench"}
_STYLE |= {"axes.spines.top": False, "axes.spines.right": False, "axes.unicode_minus": False}
# Dark blue and orange of Okabe and Ito's palette; shape and fill differ too, for grey prints.
_MARKS = {
    "continued": {"color": "#0072B2", "marker": "o", "markerfacecolor": "#0072B2"},
    "continued_strict": {"color": "#D55E00", "marker": "s", "markerfacecolor": "white"},
}


def _styled(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Run under matplotlib's defaults and our style, whatever a matplotlibrc says."""

    @wraps(function)
    def inside(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        with style.context(["default", _STYLE]):
            return function(*args, **kwargs)

    return inside


@dataclass(frozen=True, eq=False)
class Plot:
    """A figure with its file stem, and the text that goes under it."""

    name: str
    title: str
    caption: str
    figure: Figure


@_styled
def heatmap(f: Frames) -> Plot:
    """Share of trials that pass each rubric item, per arm, with the numbers in the cells."""
    names, key = short_names(f.arms)
    passed = f.items[f.items["passed"].notna()]
    title = f.title("Rubric items passed")
    caption, drawn = _captions(
        "Share of scored trials that passed the item over three turns; n = trials in which it was "
        "established; ex = share in which the window gave occasion to break it. Darker: more fail.",
        key,
        f,
    )
    left, height = _left(names), 0.55 * len(f.arms)
    figure, axes = _figure((left, 1.1 * len(ITEMS), 0.3), height, title, drawn)
    colours = matplotlib.colormaps["Blues"]
    gap = _gap(f)
    for row, arm in enumerate(f.arms):
        y = row + (gap if arm in f.controls else 0)
        for x, item in enumerate(ITEMS):
            cell = passed[(passed["arm"] == arm) & (passed["item"] == item)]
            _heat_cell(axes, (x, y), cell, colours)
    _arm_axis(axes, f, names, gap)
    axes.set_xlim(-0.5, len(ITEMS) - 0.5)
    axes.set_xticks(range(len(ITEMS)), ITEMS)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    return Plot("items", title, caption, figure)


def _heat_cell(axes: Axes, at: tuple[float, float], cell: pd.DataFrame, colours: Colormap) -> None:
    x, y = at
    corner, size = (x - 0.5, y - 0.5), 1.0
    if len(cell) == 0:
        axes.add_patch(Rectangle(corner, size, size, fc="white", ec="#999999", hatch="///"))
        white = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
        axes.text(x, y, "n/a", ha="center", va="center", bbox=white)
        return
    share = float(cell["passed"].mean())
    used = float(cell["exercised"].fillna(False).mean())
    fill = colours(0.9 * (1 - share))
    axes.add_patch(Rectangle(corner, size, size, fc=fill, ec="white", lw=1.5))
    light = 0.2126 * fill[0] + 0.7152 * fill[1] + 0.0722 * fill[2] > 0.45
    ink = "black" if light else "white"
    axes.text(
        x, y - 0.14, f"{100 * share:.0f}%", ha="center", va="center", color=ink, weight="bold"
    )
    axes.text(
        x, y + 0.24, f"n={len(cell)} ex {100 * used:.0f}%",
        ha="center", va="center", color=ink, fontsize=6.5,
    )  # fmt: skip


@_styled
def forest(f: Frames, found: Sequence[compare.Effect]) -> Plot:
    """Paired differences against `bare` with their intervals, both verdicts, controls apart."""
    arms = tuple(arm for arm in f.arms if arm != BASE)
    names, key = short_names(f.arms)
    title = f.title("Difference to bare")
    caption, drawn = _captions(
        "Percentage points, paired by prefix, each task weighs the same; bars: 95 % t interval on "
        "task means; filled circle: continued, open square: continued_strict; dotted: smallest "
        "difference this design finds with power 0.8. In brackets: tasks, pairs; unpaired: not "
        "the same prefix bytes.",
        key,
        f,
    )
    figure, axes = _figure((_left(names), 5.6, 1.5), 0.62 * max(1, len(arms)), title, drawn, 0.4)
    gap, reach = _gap(f), 20.0
    for row, arm in enumerate(arms):
        y = row + (gap if arm in f.controls else 0)
        for verdict, shift in zip(VERDICTS, (-0.17, 0.17), strict=True):
            effect = compare.find(found, arm, verdict)
            if effect is None or effect.found.estimate is None:
                axes.text(0, y + shift, "n/a", ha="center", va="center", fontsize=7)
                continue
            _forest_mark(axes, y + shift, effect)
            ends = effect.found.interval or (effect.found.estimate,) * 2
            reach = max(reach, *(100 * abs(end) for end in (*ends, effect.found.visible or 0)))
    axes.axvline(0, color="black", lw=0.8, zorder=0)
    _arm_axis(axes, f, names, gap, arms)
    axes.set_xlim(-1.05 * reach, 1.05 * reach)
    axes.set_xlabel("percentage points")
    handles = [Line2D([], [], ls="", label=name, **mark) for name, mark in _MARKS.items()]
    axes.legend(
        handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False
    )  # fmt: skip
    axes.grid(axis="x", color="#dddddd", lw=0.6)
    axes.set_axisbelow(True)
    return Plot("differences", title, caption, figure)


def _forest_mark(axes: Axes, y: float, effect: compare.Effect) -> None:
    d, mark = effect.found, _MARKS[effect.claim.value]
    if d.visible is not None:
        ends = [-100 * d.visible, 100 * d.visible]
        for end in ends:
            axes.plot([end, end], [y - 0.13, y + 0.13], ls=":", color="#777777", lw=1)
    if d.interval is not None:
        ends = [100 * d.interval.low, 100 * d.interval.high]
        axes.plot(ends, [y, y], color=mark["color"], lw=1.6)
    axes.plot([100 * d.estimate], [y], ls="", ms=6, markeredgewidth=1.4, **mark)
    text = f"{cells.points(d.estimate)} ({d.n_tasks}, {d.n_pairs})"
    text += "" if effect.paired else " unpaired"
    axes.annotate(
        text, (1.01, y), xycoords=("axes fraction", "data"), va="center", fontsize=7,
        annotation_clip=False,
    )  # fmt: skip


@_styled
def save(plot: Plot, folder: Path, tail: str = "") -> list[Path]:
    """Write PNG and SVG, named by the plot and `tail`. Returns their paths."""
    paths = [folder / f"{plot.name}{tail}.{suffix}" for suffix in ("png", "svg")]
    plot.figure.savefig(paths[0], dpi=DPI, metadata={"Software": None})
    plot.figure.savefig(paths[1], metadata={"Date": None, "Creator": None})
    return paths


def short_names(names: Sequence[str]) -> tuple[dict[str, str], str]:
    """name -> what the font can draw (the name, or "no. 3"), and the key for those replaced."""
    shown = {name: name if drawable(name) else f"no. {i}" for i, name in enumerate(names, start=1)}
    key = ", ".join(f"{short} = {name}" for name, short in shown.items() if short != name)
    return shown, key


def drawable(text: str) -> bool:
    """Whether the plots' font has every character of `text`."""
    face = font_manager.get_font(font_manager.findfont(FONT))
    return all(face.get_char_index(ord(char)) for char in text)


def _captions(text: str, key: str, f: Frames) -> tuple[str, str]:
    """The caption for the report, and the one drawn into the figure."""
    pointer = "Numbered strategies are named in the report." if key else ""
    return tuple(
        " ".join(part for part in (text, names, f"{f.caption}.") if part)
        for names in (f"{key}." if key else "", pointer)
    )


def _figure(
    widths: tuple[float, float, float], height: float, title: str, caption: str, below: float = 0.0
) -> tuple[Figure, Axes]:
    """A figure with a title above, a wrapped caption below, and axes between.

    widths: left margin, axes, right margin; height: of the axes; below: room for the labels of
    the x axis. All in inches.
    """
    width = sum(widths)
    drawn = "".join(char if drawable(char) else "?" for char in caption)
    lines = textwrap.wrap(drawn, int(width * 17))
    foot = 0.15 * len(lines) + 0.3 + below
    total = height + foot + 0.75
    figure = Figure(figsize=(width, total))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((widths[0] / width, foot / total, widths[1] / width, height / total))
    plain = {"x": 0.15 / width, "parse_math": False}  # a dollar sign in a name is no formula
    figure.text(y=1 - 0.12 / total, s=title, weight="bold", va="top", fontsize=11, **plain)
    figure.text(y=0.1 / total, s="\n".join(lines), va="bottom", fontsize=7, **plain)
    return figure, axes


def _left(names: dict[str, str]) -> float:
    return 0.4 + 0.085 * max((len(name) for name in names.values()), default=0)


def _gap(f: Frames) -> float:
    return 0.35 if f.controls and len(f.controls) < len(f.arms) else 0.0


def _arm_axis(
    axes: Axes, f: Frames, names: dict[str, str], gap: float, arms: Sequence[str] | None = None
) -> None:
    """Arms from top to bottom, controls below a line."""
    arms = f.arms if arms is None else arms
    places = [row + (gap if arm in f.controls else 0) for row, arm in enumerate(arms)]
    axes.set_yticks(places, [names[arm] for arm in arms], parse_math=False)
    axes.set_ylim((places[-1] if places else 0) + 0.5, -0.5)
    first = next((p for p, arm in zip(places, arms, strict=True) if arm in f.controls), None)
    if first is not None and gap and first != places[0]:
        axes.axhline(first - 0.5 - gap / 2, color="#555555", lw=0.8, ls="--")
