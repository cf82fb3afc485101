"""Plots over progress, cost and retention. Each gives None where there is nothing to draw."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from analysis import stats
from analysis.canvas import Plot, arm_style, captions, figure, panels, short_names, styled
from analysis.cells import sums_by_trial
from analysis.factors import facts_by_seam
from analysis.frames import Frames, order_timings
from analysis.stats import Interval
from harness.types import Kind

_GRID = {"color": "#dddddd", "lw": 0.6}


@styled
def timing_curve(f: Frames) -> Plot | None:
    """`continued` by band of progress, one line a strategy, with intervals."""
    bands = order_timings(set(f.scored()["timing"].dropna()))
    arms = [arm for arm in f.arms if arm not in f.controls]
    if len(bands) < 2 or not arms:
        return None
    names, key = short_names(f.arms)
    title = f.title("Continued by progress at the seam")
    caption, drawn = captions(
        "Mean over tasks; bars: 95 % t interval on task means, cut at 0 and 100, none where tasks "
        f"do not differ. n = {_span(f, arms, bands)} trials a point.",
        key,
        f,
    )
    drawing, axes = figure((0.7, 4.9, 1.6), 3.1, title, drawn, 0.4)
    for number, arm in enumerate(arms):
        shift = 0.07 * (number - (len(arms) - 1) / 2)
        points = [_rate(f.scored(arm), band) for band in bands]
        known = [(x + shift, mean) for x, (mean, _) in enumerate(points) if mean is not None]
        look = arm_style(f, arm)
        axes.plot(*zip(*known, strict=True), label=names[arm], **look) if known else None
        for x, (_, ends) in enumerate(points):
            if ends is not None:
                axes.plot([x + shift] * 2, ends, color=look["color"], lw=1, zorder=1)
    axes.set_xticks(range(len(bands)), bands)
    axes.set_xlim(-0.4, len(bands) - 0.6)
    axes.set_xlabel("progress at the seam")
    _percent_axis(axes)
    _legend(axes)
    return Plot("timing", title, caption, drawing)


def _rate(rows: pd.DataFrame, band: str) -> tuple[float | None, Interval | None]:
    """Mean over tasks in per cent, and its interval."""
    rows = rows[rows["timing"] == band]
    means = rows["continued"].astype(float).groupby(rows["task"], observed=True).mean()
    if means.empty:
        return None, None
    ends = stats.mean_interval(means.to_numpy())
    cut = None if ends is None else Interval(*(100 * min(1, max(0, e)) for e in ends))
    return 100 * float(means.mean()), cut


def _span(f: Frames, arms: Sequence[str], bands: Sequence[str]) -> str:
    counts = [int((f.scored(a)["timing"] == band).sum()) for a in arms for band in bands]
    low, high = min(counts), max(counts)
    return str(low) if low == high else f"{low} to {high}"


@styled
def retention(f: Frames) -> Plot | None:
    """Share of exposed facts that were in view, against the share obeyed; a panel a kind."""
    rows = f.facts[f.facts["exposed"].fillna(False) & f.facts["obeyed"].notna()]
    rows = rows[rows["present"].notna()]
    kinds = [k.value for k in Kind if k.value in set(rows["kind"])]
    if not kinds:
        return None
    names, key = short_names(f.arms)
    title = f.title("Retention and use of facts")
    caption, drawn = captions(
        "Over the facts that the window gave occasion to break (n: of all strategies): share in "
        "the first view after the seam, against share obeyed. On the line they are equal; points "
        "above it obey what they no longer see. Facts of one trial are not independent: no "
        "interval.",
        key,
        f,
    )
    drawing, grid = panels(len(kinds), title, drawn)
    for axes, kind in zip(grid, kinds, strict=True):
        mine = rows[rows["kind"] == kind]
        axes.plot([0, 100], [0, 100], color="#bbbbbb", lw=0.8, zorder=0)
        for arm in f.arms:
            part = mine[mine["arm"] == arm]
            if len(part):
                at = [[100 * float(part[c].mean())] for c in ("present", "obeyed")]
                axes.plot(*at, **{**arm_style(f, arm), "linestyle": ""}, clip_on=False)
        axes.set_title(f"{kind}, n = {len(mine)}", fontsize=9, loc="left")
        for limit in (axes.set_xlim, axes.set_ylim):
            limit(-5, 105)
        axes.set_xlabel("in view, %", fontsize=8)
        axes.set_ylabel("obeyed, %", fontsize=8)
    handles = [
        Line2D([], [], label=names[a], **{**arm_style(f, a), "linestyle": ""}) for a in f.arms
    ]
    _outside(drawing, handles)
    return Plot("retention", title, caption, drawing)


@styled
def cost(f: Frames) -> Plot | None:
    """`continued` against what the seam and the window cost, with the frontier of strategies."""
    spent, unit = _cost(f)
    points = {
        arm: (float(spent[arm]), 100 * float(f.scored(arm)["continued"].mean()))
        for arm in f.arms
        if arm in spent.index and len(f.scored(arm))
    }
    if len(points) < 2:
        return None
    names, key = short_names(f.arms)
    title = f.title("Cost against continuity")
    caption, drawn = captions(
        f"Mean {unit} of compaction, recovery and window per trial. Dotted: frontier, strategies "
        "that none beats at the same or lower cost; controls (grey, open) are no strategies. "
        "Intervals: table of verdicts. n = "
        f"{min(len(f.scored(a)) for a in points)} or more trials a point.",
        key,
        f,
    )
    drawing, axes = figure((0.7, 4.9, 1.6), 3.1, title, drawn, 0.4)
    for arm, at in points.items():
        look = {**arm_style(f, arm), "linestyle": ""}
        axes.plot([at[0]], [at[1]], label=names[arm], **look)
    best = frontier({a: p for a, p in points.items() if a not in f.controls})
    axes.step(*zip(*best, strict=True), where="post", color="#555555", lw=1, ls=":", zorder=0)
    axes.set_xlabel(f"{unit} a trial")
    axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter("{x:,.0f}" if unit == "tokens" else "{x:g}")
    _percent_axis(axes)
    _legend(axes)
    return Plot("cost", title, caption, drawing)


def _cost(f: Frames) -> tuple[pd.Series, str]:
    """Mean per trial and arm: money where all is known, else tokens, over trials of which all
    phases are known."""
    rows = f.tokens[f.tokens["status"] == "scored"]
    rows = rows[rows["phase"].isin(["compaction", "recovery", "window"])]
    money = rows["list_usd"].notna().all() and len(rows) > 0
    used = rows["list_usd"] if money else rows["input_tokens"] + rows["output_tokens"]
    sums = sums_by_trial(rows.assign(used=used.astype("Float64")), "used").dropna()
    arms = sums["trial_id"].map(dict(zip(rows["trial_id"], rows["arm"], strict=True)))
    means = sums["used"].groupby(arms, observed=True).mean()
    return means, "USD" if money else "tokens"


def frontier(points: dict[str, tuple[float, float]]) -> list[tuple[float, float]]:
    """Points that no other one beats: (cost, share), cheapest first."""
    best: list[tuple[float, float]] = []
    for x, y in sorted(points.values(), key=lambda p: (p[0], -p[1])):
        if not best or y > best[-1][1]:
            best.append((x, y))
    return best


_PARTS = (
    ("summary", "#0072B2", ""),
    ("card", "#E69F00", "///"),
    ("injected", "#009E73", "..."),
    ("other", "#dddddd", ""),
)


@styled
def view_sizes(f: Frames) -> Plot | None:
    """Tokens of the view before the seam and of what makes up the first view after it."""
    scored = f.scored()
    scored = scored[scored["view_after_tokens"].notna()]
    arms = [arm for arm in f.arms if arm in set(scored["arm"])]
    if not arms:
        return None
    names, key = short_names(f.arms)
    title = f.title("Tokens over the seam")
    caption, drawn = captions(
        "Means. Bars: the view after the seam by what it holds (other: system prompt, kept or "
        "restated messages; injected comes on top at each turn); line: the view before it. "
        f"n = {min((scored['arm'] == a).sum() for a in arms)} or more trials a bar.",
        key,
        f,
    )
    drawing, axes = figure((1.5, 4.1, 1.6), 0.3 * len(arms) + 0.3, title, drawn, 0.4)
    for y, arm in enumerate(arms):
        rows = scored[scored["arm"] == arm]
        mean = {
            name: float(rows[f"view_{name}_tokens"].fillna(0).mean())
            for name in ("before", "after", "summary", "card", "injected")
        }
        mean["other"] = max(0.0, mean["after"] - mean["summary"] - mean["card"])
        start = 0.0
        for name, colour, hatch in _PARTS:
            axes.barh(y, mean[name], 0.62, start, color=colour, hatch=hatch, edgecolor="white")
            start += mean[name]
        axes.plot([mean["before"]] * 2, [y - 0.4, y + 0.4], color="black", lw=1.6)
    axes.set_yticks(range(len(arms)), [names[arm] for arm in arms], parse_math=False)
    axes.set_ylim(len(arms) - 0.4, -0.6)
    axes.set_xlabel("tokens")
    axes.xaxis.set_major_formatter("{x:,.0f}")
    handles: list[Line2D | Patch] = [
        Patch(facecolor=c, hatch=h, edgecolor="white", label=n) for n, c, h in _PARTS
    ]
    handles.append(Line2D([], [], color="black", lw=1.6, label="before"))
    axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.02, 1), frameon=False)
    return Plot("view", title, caption, drawing)


@styled
def lost_by_seam(f: Frames) -> Plot | None:
    """Share of established facts that are not in view, seam after seam."""
    facts = facts_by_seam(f)
    if facts["seam_index"].nunique() < 2:
        return None
    points = facts.groupby(["arm", "seam_index"], observed=True)
    names, key = short_names(f.arms)
    title = f.title("Facts lost, seam after seam")
    caption, drawn = captions(
        "Share of established facts that are not in the first view after each seam. Facts of one "
        "trial are not independent: no interval. "
        f"n = {points['present'].size().min()} or more facts a point.",
        key,
        f,
    )
    drawing, axes = figure((0.7, 4.9, 1.6), 3.1, title, drawn, 0.4)
    for arm in f.arms:
        mine = facts[facts["arm"] == arm]
        share = 100 * (1 - mine.groupby("seam_index")["present"].mean().astype(float))
        if len(share):
            axes.plot(list(share.index), list(share), label=names[arm], **arm_style(f, arm))
    axes.set_xticks(sorted(int(i) for i in facts["seam_index"].dropna().unique()))
    axes.set_xlabel("seam")
    _percent_axis(axes, "lost, %")
    _legend(axes)
    return Plot("seams", title, caption, drawing)


def _percent_axis(axes: Axes, text: str = "continued, %") -> None:
    axes.set_ylim(-4, 104)
    axes.set_ylabel(text)
    axes.grid(axis="y", **_GRID)
    axes.set_axisbelow(True)


def _legend(axes: Axes) -> None:
    axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1), frameon=False, handlelength=3.2)


def _outside(drawing: Figure, handles: list[Line2D]) -> None:
    drawing.legend(handles=handles, loc="center right", frameon=False)
