"""What a design could have found: simulated from the task means seen."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import scipy.stats

from analysis.cells import label, points_cell
from analysis.compare import Effect
from analysis.frames import BASE, VERDICTS, Frames
from analysis.pairs import pairs
from analysis.stats import LEVEL, POWER, SEED, has_spread, task_means
from analysis.table import Cell, Row, Table

STUDIES = 4000
SIZES = (0.05, 0.10, 0.20, 0.30)


def power(f: Frames, found: Sequence[Effect]) -> Table:
    """What this design could have found, per comparison with `bare`, by formula and simulation."""
    rows = []
    for effect in found:
        claim, ids = effect.claim, effect.trials
        if claim.base != BASE or claim.value not in VERDICTS or claim.family is None:
            continue
        table = pairs(f.trials, claim.arm, BASE, claim.value)
        d = task_means(table[table["paired"] == effect.paired])["d"].to_numpy(dtype=float)
        chances = [simulated_power(d, size, effect.alpha) for size in SIZES]
        cells = [Cell(f"{claim.arm} - {BASE}"), Cell(label(claim.value)), Cell(str(len(d)))]
        cells.append(points_cell(effect.found.visible, ids))
        cells.append(points_cell(simulated_visible(d, effect.alpha), ids))
        cells += [Cell(None if c is None else f"{100 * c:.0f}%", {"power": c}) for c in chances]
        rows.append(Row(tuple(cells)))
    columns = ("difference", "in", "tasks", "visible, by formula", "visible, by simulation")
    columns += tuple(f"power at {100 * size:.0f} points" for size in SIZES)
    notes = (
        "visible: smallest difference in points found with power 0.8 at 0.05 / size of the "
        f"family. Simulation: {STUDIES} studies of as many tasks, drawn from the task means "
        "seen, centred and shifted. n/a: fewer than three tasks, no spread between them, or not "
        "even 100 points would be found.",
        f.caption,
    )
    title = f.title("What this design can find")
    return Table("power", title, columns, tuple(rows), notes)


def simulated_power(
    values: Sequence[float], delta: float, alpha: float = 1 - LEVEL
) -> float | None:
    """Share of simulated studies in which a two-sided t test finds a mean of `delta`.

    Each study draws as many clusters as there are from the values seen, centred and shifted to
    `delta`: the spread and shape of these data, not a normal law. Source: Efron and Tibshirani
    1993, An Introduction to the Bootstrap, 16.4. None for n < 3 or no spread.
    """
    x = np.asarray(values, dtype=float)
    if len(x) < 3 or not has_spread(x):
        return None
    rng = np.random.default_rng(SEED)
    # Drawing from n values makes the spread smaller by this factor.
    scale = math.sqrt(len(x) / (len(x) - 1))
    drawn = rng.choice((x - x.mean()) * scale, (STUDIES, len(x))) + delta
    error = drawn.std(axis=1, ddof=1) / math.sqrt(len(x))
    with np.errstate(divide="ignore", invalid="ignore"):  # a study that drew one value only
        t = np.abs(drawn.mean(axis=1) / error)
    return float((t > scipy.stats.t.ppf(1 - alpha / 2, len(x) - 1)).mean())


def simulated_visible(values: Sequence[float], alpha: float = 1 - LEVEL) -> float | None:
    """Smallest difference, to 1 point, that simulated studies find with POWER; None for none
    up to 100 points."""
    low, high = 0, 100
    top = simulated_power(values, 1.0, alpha)
    if top is None or top < POWER:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        found = simulated_power(values, middle / 100, alpha)
        low, high = (low, middle) if found is not None and found >= POWER else (middle, high)
    return high / 100
