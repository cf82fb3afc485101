"""Does the plan's interval cover, and its test alarm, as often as it says? `make calibration`.

Truth is injected: outcomes of 36 tasks at four bands are drawn so that the mean difference over
tasks is known, while the strategy helps on half of the tasks and harms on the other half (strong
task-by-strategy spread). Each set goes through pairs and statistics as a run's records do.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis import stats
from analysis.cells import percent
from analysis.pairs import pairs
from analysis.table import Cell, Row, Table
from harness.types import BANDS

TASKS, OF_CODEBASE = 36, 3
REPEATS = 1000
ALARMS = 4000
"""Studies at no difference: a share of 5 % is then known to 0.7 points, not to 1.4."""
SEED = 430
COVER, ALARM, NAIVE = (0.93, 0.97), (0.04, 0.06), 0.10


@dataclass(frozen=True)
class World:
    """What outcomes are drawn from, as shares: rate of bare, true difference, how far a task's
    own difference lies from it (half of the tasks above, half below), and a codebase's."""

    name: str
    base: float
    truth: float
    by_task: float
    by_codebase: float = 0.0


WORLDS = (
    World("no difference, strong spread over tasks", 0.5, 0.0, 0.35),
    World("+15 points, strong spread over tasks", 0.4, 0.15, 0.30),
    World("+15 points, some spread over tasks", 0.5, 0.15, 0.10),
    World("no difference, strong spread over codebases", 0.5, 0.0, 0.05, 0.30),
)


def frame(world: World, draw: np.random.Generator) -> pd.DataFrame:
    """Scored trials of two arms, with the columns that pairs are made from."""
    rows = np.arange(TASKS * len(BANDS))
    task = rows // len(BANDS)
    sides = draw.choice([-1.0, 1.0], TASKS)
    jitter = draw.uniform(-0.1, 0.1, TASKS)
    of_codebase = draw.choice([-1.0, 1.0], TASKS // OF_CODEBASE)[np.arange(TASKS) // OF_CODEBASE]
    shift = world.truth + world.by_task * sides + world.by_codebase * of_codebase + jitter * 0.5
    rates = {"bare": np.full(TASKS, world.base), "arm": world.base + shift}
    assert all(0 <= rate <= 1 for rate in rates["arm"]), "a clipped rate would move the truth"
    names = [f"task {n:02d}" for n in range(TASKS)]
    codebases = [f"codebase {n // OF_CODEBASE:02d}" for n in range(TASKS)]
    keys = pd.Index([f"{names[t]} {band}" for t, band in zip(task, rows % 4, strict=True)])
    parts = []
    for number, (arm, rate) in enumerate(rates.items()):
        part = {
            "trial_id": pd.Index([f"{key} {arm}" for key in keys]),
            "task": np.take(names, task),
            "codebase": np.take(codebases, task),
            "pair_id": keys,
            "prefix_id": keys,
            "prefix_hash": keys,
            "arm": arm,
            "status": "scored",
        }
        columns = pd.DataFrame(part)
        columns["shared"] = True
        columns["continued"] = draw.random(len(rows)) < rate[task]
        columns["order"] = rows + number * len(rows)
        parts.append(columns)
    whole = pd.concat(parts, ignore_index=True)
    texts = whole.columns.difference(["shared", "continued", "order"])
    return whole.astype(dict.fromkeys(texts, "category"))


def studies(world: World, repeats: int) -> Iterator[pd.DataFrame]:
    """Pairs of each simulated study."""
    draw = np.random.default_rng(SEED)
    for _ in range(repeats):
        yield pairs(frame(world, draw), "arm", "bare", "continued")


def coverage(world: World, repeats: int) -> dict[str, float]:
    """Share of studies whose interval holds the truth, by method."""
    held = dict.fromkeys(("t on task means", "BCa over tasks", "clustered by codebase"), 0)
    for rows in studies(world, repeats):
        means = stats.task_means(rows)
        ends = (
            stats.mean_interval(means["d"].to_numpy(dtype=float)),
            stats.bca(means["d"].to_numpy(dtype=float)),
            stats.clustered_interval(means["d"], means["codebase"]),
        )
        for name, found in zip(held, ends, strict=True):
            held[name] += found is not None and found.low <= world.truth <= found.high
    return {name: count / repeats for name, count in held.items()}


def alarms(world: World, repeats: int) -> dict[str, float]:
    """Share of studies without a difference in which a test finds one at 0.05, by method."""
    found = dict.fromkeys(("sign-flip over tasks", "McNemar, clusters ignored"), 0)
    for rows in studies(world, repeats):
        d = stats.task_means(rows)["d"].to_numpy(dtype=float)
        naive = stats.mcnemar_plain(int((rows["d"] > 0).sum()), int((rows["d"] < 0).sum()))
        p = stats.sign_flip(d)
        found["sign-flip over tasks"] += p is not None and p < 0.05
        found["McNemar, clusters ignored"] += naive is not None and naive.p < 0.05
    return {name: count / repeats for name, count in found.items()}


def calibrate(repeats: int, alarm_repeats: int) -> tuple[Table, bool]:
    """The table, and whether everything judged is within its limits."""
    rows, good = [], True
    for world in WORLDS:
        judged = not world.by_codebase
        for name, share in coverage(world, repeats).items():
            ends = COVER if judged and name == "t on task means" else None
            good &= ends is None or ends[0] <= share <= ends[1]
            rows.append(_row(world, f"covers: {name}", share, repeats, ends))
        if world.truth == 0.0:
            for name, share in alarms(world, alarm_repeats).items():
                naive = name.startswith("McNemar")
                ends = ((NAIVE, 1.0) if naive else ALARM) if judged else None
                good &= ends is None or ends[0] <= share <= ends[1]
                rows.append(_row(world, f"alarms: {name}", share, alarm_repeats, ends))
    columns = ("truth", "method", "share", "studies", "expected", "")
    notes = (
        f"{TASKS} tasks of {TASKS // OF_CODEBASE} codebases at four bands, two arms; a difference "
        "is over the tasks that might have been drawn. Simulated outcomes, no agent. Rows without "
        "an expectation are there to be read: where whole codebases differ, errors by task are "
        "too small, which is why reports show errors by codebase beside them.",
    )
    return Table("calibration", "Calibration", columns, tuple(rows), notes), good


def _row(world: World, method: str, share: float, n: int, ends: tuple[float, float] | None) -> Row:
    wanted = f"{percent(ends[0])} to {percent(ends[1])}" if ends else ""
    verdict = "" if ends is None else ("ok" if ends[0] <= share <= ends[1] else "OUTSIDE")
    cells = (world.name, method, f"{100 * share:.1f}%", str(n), wanted, verdict)
    return Row(tuple(map(Cell, cells)))


if __name__ == "__main__":
    given = [int(text) for text in sys.argv[1:]]
    made, within = calibrate(*(given or (REPEATS, ALARMS)))
    print(made.to_text(), end="")
    sys.exit(0 if within else 1)
