"""Paired comparisons of arms: which ones the plan registers, and their tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from analysis import stats
from analysis.cells import difference_cell, interval_cell, label, p_cell, p_text, points_cell
from analysis.frames import BASE, VERDICT_ITEMS, VERDICTS, Frames
from analysis.pairs import behind, pairs
from analysis.table import Cell, Row, Table

PRIMARY = ("long_mem", "engram")
FAMILY_A = "A"
FAMILY_B = "B"
STAGE_TWO = "stage two"
ABLATIONS = "ablations"
COMBINED = "combined"


@dataclass(frozen=True)
class Claim:
    """A comparison to make: arm - base in a column of `trials`. family: None for controls."""

    arm: str
    base: str
    value: str
    family: str | None


@dataclass(frozen=True, eq=False)
class Effect:
    """A claim, what was found, and the Holm-adjusted p within its family.

    paired: both arms went on from the same bytes. trials: places of all trials behind the numbers.
    alpha: level of a single test in a family of this size.
    """

    claim: Claim
    paired: bool
    found: stats.Difference
    trials: np.ndarray
    holm_p: float | None = None
    alpha: float = 1 - stats.LEVEL


def against_base(f: Frames, value: str) -> list[Claim]:
    """Every arm against `bare`: family A, stage two, and controls outside all families."""
    if BASE not in f.arms:
        return []
    claims = []
    for arm in f.arms:
        if arm == BASE:
            continue
        family = FAMILY_A if arm in PRIMARY else STAGE_TWO
        claims.append(Claim(arm, BASE, value, None if arm in f.controls else family))
    return claims


def between(f: Frames) -> list[Claim]:
    """Family B (long_mem - engram, overall and per item), and combined - each single one."""
    claims = []
    if set(PRIMARY) <= set(f.arms):
        values = (*VERDICTS, *(f"passed_{item}" for item in VERDICT_ITEMS))
        claims += [Claim("long_mem", "engram", value, FAMILY_B) for value in values]
    if "combined" in f.arms:
        singles = [arm for arm in PRIMARY if arm in f.arms]
        claims += [
            Claim("combined", arm, v, f"{COMBINED}: {v}") for v in VERDICTS for arm in singles
        ]
    return claims


def variants(f: Frames) -> list[Claim]:
    """Every variant of a strategy (other options, an add-on) against its plain form."""
    known = f.trials[["arm", "strategy"]].drop_duplicates().dropna()
    of = dict(zip(known["arm"], known["strategy"], strict=True))
    return [
        Claim(arm, of[arm], value, ABLATIONS)
        for value in VERDICTS
        for arm in f.arms
        if arm not in f.controls and of.get(arm, arm) != arm and of[arm] in f.arms
    ]


def effects(f: Frames, claims: Sequence[Claim]) -> list[Effect]:
    """Estimate and test all `claims`; Holm runs within the family of each column (in B, over all).

    A claim gives one effect for pairs from the same bytes and, apart, one for pairs that only
    share the key; both count in the family. `visible` is computed at 0.05 / size of the family.
    """
    sizes: dict[tuple[str | None, str], int] = defaultdict(int)
    for claim in claims:
        sizes[_holm_family(claim)] += 1
    found = []
    for claim in claims:
        alpha = (1 - stats.LEVEL) / (sizes[_holm_family(claim)] if claim.family else 1)
        table = pairs(f.trials, claim.arm, claim.base, claim.value)
        kinds = sorted(table["paired"].unique(), reverse=True) or [True]
        for paired in kinds:
            rows = table[table["paired"] == paired]
            result = stats.paired_difference(rows, alpha)
            found.append(Effect(claim, bool(paired), result, behind(rows), alpha=alpha))
    return _adjusted(found)


def _holm_family(claim: Claim) -> tuple[str | None, str]:
    return claim.family, "" if claim.family == FAMILY_B else claim.value


def _adjusted(found: list[Effect]) -> list[Effect]:
    groups: dict[tuple[str | None, str], list[int]] = defaultdict(list)
    for i, effect in enumerate(found):
        if effect.claim.family is not None:
            groups[_holm_family(effect.claim)].append(i)
    for members in groups.values():
        adjusted = stats.holm([found[i].found.p for i in members])
        for i, p in zip(members, adjusted, strict=True):
            found[i] = replace(found[i], holm_p=p)
    return found


def find(
    found: Iterable[Effect], arm: str, value: str, paired: bool | None = None
) -> Effect | None:
    """The effect of `arm` against `bare`, preferring pairs from the same bytes."""
    key = (arm, BASE, value)
    mine = [e for e in found if (e.claim.arm, e.claim.base, e.claim.value) == key]
    return next((e for e in mine if paired is None or e.paired == paired), None)


def differences(
    f: Frames, found: Sequence[Effect], name: str, title: str, notes: tuple[str, ...] = ()
) -> Table:
    """Paired differences with all that the plan shows beside them; controls apart."""
    rows = []
    for effect in sorted(found, key=lambda e: e.claim.arm in f.controls):
        d, ids = effect.found, effect.trials
        controls = effect.claim.arm in f.controls
        cells = [
            Cell(f"{effect.claim.arm} - {effect.claim.base}"),
            Cell(label(effect.claim.value)),
            Cell("shared" if effect.paired else "not shared: unpaired"),
            difference_cell(effect.found, effect.trials),
            interval_cell(d.bca, ids),
            interval_cell(d.by_codebase, ids),
            interval_cell(d.without_one, ids),
            p_cell(d.p, ids),
            p_cell(effect.holm_p, ids),
            Cell(str(d.n_tasks), trials=ids),
            Cell(str(d.n_codebases), trials=ids),
            Cell(str(d.n_pairs), trials=ids),
            points_cell(d.visible, ids),
        ]
        rows.append(Row(tuple(cells), "controls" if controls else "strategies"))
    columns = ("difference", "in", "prefix", "points [95 %]", "BCa", "by codebase")
    columns += ("one codebase out", "p", "Holm p", "tasks", "codebases", "pairs", "visible")
    return Table(name, f.title(title), columns, tuple(rows), (*_NOTES, *notes, f.caption))


_NOTES = (
    "Points: percentage points, averaged within prefix, then task, then over tasks. [95 %]: t "
    "interval on task means; BCa: bootstrap over tasks; by codebase: errors clustered by codebase; "
    "one codebase out: range of the estimate.",
    "p: two-sided sign-flip permutation over tasks. Holm p: within the family (A: long_mem and "
    "engram against bare, per verdict; B: long_mem - engram, both verdicts and five items; stage "
    "two: other strategies; combined: against each single one; ablations: variants against their "
    "plain form); controls are in none.",
    "visible: the smallest difference, in points, that a two-sided t test over these tasks finds "
    "with power 0.8 at 0.05 / size of the family, given the spread seen. n/a: not to be had from "
    "these data (fewer than two tasks, or no spread between them).",
)


def arms_alike(f: Frames, arms: Sequence[str], value: str) -> stats.Test | None:
    """GEE score test over `arms`, clusters = tasks, that all have the same rate of `value`."""
    rows = f.scored()[["arm", "task", value]]
    rows = rows[rows["arm"].isin(list(arms)) & rows[value].notna()]
    data = pd.DataFrame({"y": rows[value].astype(float), "arm": rows["arm"], "group": rows["task"]})
    return stats.gee_score(data)


def alike_note(f: Frames, value: str) -> str:
    """One line for the notes: the test that all strategies are alike."""
    arms = [arm for arm in f.arms if arm not in f.controls]
    test = arms_alike(f, arms, value)
    if test is None:
        return (
            f"All {len(arms)} strategies alike in {label(value)}: cannot be tested on these data."
        )
    return (
        f"All {len(arms)} strategies alike in {label(value)}: GEE score test (independence working "
        f"correlation, clustered by task), chi2({test.df}) = {test.statistic:.2f}, "
        f"p {p_text(test.p)}."
    )


def normalised(f: Frames, arm: str, value: str) -> tuple[float | None, stats.Interval | None, int]:
    """Score of `arm` between `empty` (0) and `full` (1), its interval, and the number of tasks.

    Only prefixes on which all three were scored count. Both None where either control is missing.
    """
    sides = {"x": arm, "empty": "empty", "full": "full"}
    rows = f.scored()[["arm", "task", "pair_id", "prefix_id", value]]
    rows = rows[rows["arm"].isin(sides.values()) & rows[value].notna()]
    by_arm = (
        rows.assign(v=rows[value].astype(float))
        .groupby(["task", "pair_id", "prefix_id", "arm"], observed=True)["v"]
        .mean()
        .unstack("arm")
    )
    if not set(sides.values()) <= set(by_arm.columns):
        return None, None, 0
    table = pd.DataFrame({name: by_arm[a] for name, a in sides.items()}).dropna()
    means = table.groupby(["task", "prefix_id"], observed=True).mean()
    means = means.groupby("task", observed=True).mean()
    return *stats.normalised(means), len(means)
