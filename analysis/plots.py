"""Plots: which items hold under which strategy, paired differences against `bare`, and how much
these depend on choices."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import Colormap
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from analysis import cells, compare, stats
from analysis.canvas import Plot, arm_axis, captions, figure, gap, left, short_names, styled
from analysis.frames import BASE, VERDICTS, Frames
from analysis.pairs import pairs, preferred
from analysis.robust import compared, estimates
from harness.types import ITEMS

# Dark blue and orange of Okabe and Ito's palette; shape and fill differ too, for grey prints.
_MARKS = {
    "continued": {"color": "#0072B2", "marker": "o", "markerfacecolor": "#0072B2"},
    "continued_strict": {"color": "#D55E00", "marker": "s", "markerfacecolor": "white"},
}


@styled
def heatmap(f: Frames) -> Plot:
    """Share of trials that pass each rubric item, per arm, with the numbers in the cells."""
    names, key = short_names(f.arms)
    passed = f.items[f.items["passed"].notna()]
    title = f.title("Rubric items passed")
    caption, drawn = captions(
        "Share of scored trials that passed the item over three turns; n = trials in which it was "
        "established; ex = share in which the window gave occasion to break it. Darker: more fail.",
        key,
        f,
    )
    margin, height = left(names), 0.55 * len(f.arms)
    drawing, axes = figure((margin, 1.1 * len(ITEMS), 0.3), height, title, drawn)
    colours = matplotlib.colormaps["Blues"]
    shift = gap(f)
    for row, arm in enumerate(f.arms):
        y = row + (shift if arm in f.controls else 0)
        for x, item in enumerate(ITEMS):
            cell = passed[(passed["arm"] == arm) & (passed["item"] == item)]
            _heat_cell(axes, (x, y), cell, colours)
    arm_axis(axes, f, names, shift)
    axes.set_xlim(-0.5, len(ITEMS) - 0.5)
    axes.set_xticks(range(len(ITEMS)), ITEMS)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    return Plot("items", title, caption, drawing)


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


@styled
def forest(f: Frames, found: Sequence[compare.Effect]) -> Plot:
    """Paired differences against `bare` with their intervals, both verdicts, controls apart."""
    arms = tuple(arm for arm in f.arms if arm != BASE)
    names, key = short_names(f.arms)
    title = f.title("Difference to bare")
    caption, drawn = captions(
        "Percentage points, paired by prefix, each task weighs the same; bars: 95 % t interval on "
        "task means; filled circle: continued, open square: continued_strict; dotted: smallest "
        "difference this design finds with power 0.8. In brackets: tasks, pairs; unpaired: not "
        "the same prefix bytes.",
        key,
        f,
    )
    drawing, axes = figure((left(names), 5.6, 1.5), 0.62 * max(1, len(arms)), title, drawn, 0.4)
    apart, reach = gap(f), 20.0
    for row, arm in enumerate(arms):
        y = row + (apart if arm in f.controls else 0)
        for verdict, shift in zip(VERDICTS, (-0.17, 0.17), strict=True):
            effect = compare.find(found, arm, verdict)
            if effect is None or effect.found.estimate is None:
                axes.text(0, y + shift, "n/a", ha="center", va="center", fontsize=7)
                continue
            _forest_mark(axes, y + shift, effect)
            ends = effect.found.interval or (effect.found.estimate,) * 2
            reach = max(reach, *(100 * abs(end) for end in (*ends, effect.found.visible or 0)))
    axes.axvline(0, color="black", lw=0.8, zorder=0)
    arm_axis(axes, f, names, apart, arms)
    axes.set_xlim(-1.05 * reach, 1.05 * reach)
    axes.set_xlabel("percentage points")
    handles = [Line2D([], [], ls="", label=name, **mark) for name, mark in _MARKS.items()]
    axes.legend(
        handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False
    )  # fmt: skip
    axes.grid(axis="x", color="#dddddd", lw=0.6)
    axes.set_axisbelow(True)
    return Plot("differences", title, caption, drawing)


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


@styled
def strip(f: Frames) -> Plot | None:
    """All estimates of each difference to `bare` that another choice would have given."""
    found = {arm: estimates(f, arm) for arm in compared(f)}
    if not any(values for groups in found.values() for values in groups.values()):
        return None
    names, key = short_names(f.arms)
    title = f.title("Sensitivity of the difference to bare")
    caption, drawn = captions(
        "In continued, percentage points. Each mark is one estimate: with one task left out, with "
        "one codebase left out, under one of the 32 weightings of the items. Diamond and bar: the "
        "registered estimate with its 95 % t interval.",
        key,
        f,
    )
    groups = next(iter(found.values()))
    height = len(found) * (0.26 * (len(groups) + 1) + 0.3)
    drawing, axes = figure((2.7, 4.9, 0.3), height, title, drawn, 0.4)
    ticks: list[tuple[float, str]] = []
    y = 0.0
    for arm, values in found.items():
        estimate, ends = stats.brief(preferred(pairs(f.trials, arm, BASE, "continued")))
        ticks.append((y, f"{names[arm]} - bare: registered"))
        if ends is not None:
            axes.plot([100 * e for e in ends], [y, y], color="black", lw=1.6)
        if estimate is not None:
            axes.plot([100 * estimate], [y], "D", color="black", ms=5)
        for text, numbers in values.items():
            y += 1
            ticks.append((y, text))
            marks = 100 * np.asarray(numbers)
            axes.plot(marks, np.full(len(marks), y), "|", color="#0072B2", ms=9, mew=1)
        y += 1.6
    axes.axvline(0, color="black", lw=0.8, zorder=0)
    axes.set_yticks([at for at, _ in ticks], [text for _, text in ticks], parse_math=False)
    axes.set_ylim(y - 0.9, -0.7)
    axes.set_xlabel("percentage points")
    axes.grid(axis="x", color="#dddddd", lw=0.6)
    return Plot("sensitivity", title, caption, drawing)
