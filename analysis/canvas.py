"""What all plots share: style, figures with title and caption, names that the font can draw, files.

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
from typing import BinaryIO, ParamSpec, TypeVar

from matplotlib import font_manager, style
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from analysis.frames import Frames

_P = ParamSpec("_P")
_R = TypeVar("_R")
FONT = "DejaVu Sans"
DPI = 150
LINE = 0.15
"""Height of a line of a caption, in inches."""
_STYLE = {"font.family": FONT, "font.size": 9, "svg.hashsalt": "seambench"}
_STYLE |= {"axes.spines.top": False, "axes.spines.right": False, "axes.unicode_minus": False}
_SVG = {"Date": None, "Creator": None}
_STYLE |= {"hatch.linewidth": 0.6}

# Okabe and Ito's palette; marker and line differ too, for grey prints and the colour-blind.
_COLOURS = ("#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (1, 1)))


def styled(function: Callable[_P, _R]) -> Callable[_P, _R]:
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


@styled
def save(plot: Plot, folder: Path, tail: str = "") -> list[Path]:
    """Write PNG and SVG, named by the plot and `tail`. Returns their paths."""
    paths = [folder / f"{plot.name}{tail}.{suffix}" for suffix in ("png", "svg")]
    plot.figure.savefig(paths[0], dpi=DPI, metadata={"Software": None})
    plot.figure.savefig(paths[1], metadata=_SVG)
    return paths


@styled
def write_svg(plot: Plot, file: BinaryIO) -> None:
    """Write the SVG to an open file without the caption, which the page sets as text."""
    caption = plot.figure.texts[1]
    width, height = plot.figure.get_size_inches()
    below = LINE * (1 + caption.get_text().count("\n")) + 0.15
    caption.set_visible(False)
    shown = Bbox([[0, below], [width, height]])
    plot.figure.savefig(file, format="svg", metadata=_SVG, bbox_inches=shown)
    caption.set_visible(True)


def short_names(names: Sequence[str]) -> tuple[dict[str, str], str]:
    """name -> what the font can draw (the name, or "no. 3"), and the key for those replaced."""
    shown = {name: name if drawable(name) else f"no. {i}" for i, name in enumerate(names, start=1)}
    key = ", ".join(f"{short} = {name}" for name, short in shown.items() if short != name)
    return shown, key


def drawable(text: str) -> bool:
    """Whether the plots' font has every character of `text`."""
    face = font_manager.get_font(font_manager.findfont(FONT))
    return all(face.get_char_index(ord(char)) for char in text)


def captions(text: str, key: str, f: Frames) -> tuple[str, str]:
    """The caption for the report, and the one drawn into the figure."""
    pointer = "Numbered strategies are named in the report." if key else ""
    return tuple(
        " ".join(part for part in (text, names, f"{f.caption}.") if part)
        for names in (f"{key}." if key else "", pointer)
    )


def figure(
    widths: tuple[float, float, float], height: float, title: str, caption: str, below: float = 0.0
) -> tuple[Figure, Axes]:
    """A figure with a title above, a wrapped caption below, and axes between.

    widths: left margin, axes, right margin; height: of the axes; below: room for the labels of
    the x axis. All in inches.
    """
    width = sum(widths)
    drawn = "".join(char if drawable(char) else "?" for char in caption)
    lines = textwrap.wrap(drawn, int(width * 17))
    foot = LINE * len(lines) + 0.3 + below
    total = height + foot + 0.75
    figure = Figure(figsize=(width, total))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((widths[0] / width, foot / total, widths[1] / width, height / total))
    plain = {"x": 0.15 / width, "parse_math": False}  # a dollar sign in a name is no formula
    figure.text(y=1 - 0.12 / total, s=title, weight="bold", va="top", fontsize=11, **plain)
    figure.text(y=0.1 / total, s="\n".join(lines), va="bottom", fontsize=7, **plain)
    return figure, axes


def panels(n: int, title: str, caption: str) -> tuple[Figure, list[Axes]]:
    """A figure of `n` square panels, three in a row, with room for a legend at the right."""
    rows = -(-n // 3)
    drawing, whole = figure((0.3, 6.9, 1.7), 2.35 * rows, title, caption)
    place = whole.get_position()
    whole.remove()
    width, height = place.width / 3, place.height / rows
    made = []
    for i in range(n):
        corner = (place.x0 + i % 3 * width, place.y1 - (i // 3 + 1) * height)
        box = (corner[0] + 0.2 * width, corner[1] + 0.24 * height, 0.72 * width, 0.64 * height)
        made.append(drawing.add_axes(box))
    return drawing, made


def left(names: dict[str, str]) -> float:
    return 0.4 + 0.085 * max((len(name) for name in names.values()), default=0)


def gap(f: Frames) -> float:
    return 0.35 if f.controls and len(f.controls) < len(f.arms) else 0.0


def arm_axis(
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


def arm_style(f: Frames, arm: str) -> dict[str, object]:
    """Colour, marker and line of an arm; controls are grey and open."""
    group = [a for a in f.arms if (a in f.controls) == (arm in f.controls)]
    at = group.index(arm) % len(_MARKERS)
    control = arm in f.controls
    colour = "#777777" if control else _COLOURS[at]
    face = "white" if control else colour
    look = {
        "color": colour,
        "marker": _MARKERS[at],
        "markerfacecolor": face,
        "linestyle": _LINES[at],
    }
    # Later marks are smaller, so that one on top of another leaves a rim.
    return look | {
        "markersize": 9 - 0.6 * at,
        "markeredgecolor": colour,
        "linewidth": 1.4,
    }
