"""What the fixtures' patterns are worth as detectors: against labels given by reading.

A fact counts as `present` where its patterns match a sentence of the first view after the seam. A
reader says `kept`, `changed` or `lost`; what is changed is not kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis import stats
from analysis.stats import Interval
from analysis.table import Cell, Row, Table
from harness.errors import UserError

DRAWS = 4000
COUNTED = ("edited names", "read-only names", "commands", "short messages")
ELSEWHERE: tuple[str, str, int, Mapping[str, tuple[int, int]]] = (
    "reported elsewhere, not computed here",
    "Claude Code",
    101,
    dict(zip(COUNTED, ((549, 583), (234, 527), (27, 2197), (463, 565)), strict=True)),
)
"""A survey of 101 compactions in the wild; what it takes for a short message is not known."""
ALL = "all"
Records = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Counts:
    """Labelled facts: kept ones that are present or absent, and the same of those not kept."""

    kept_present: int
    kept_absent: int
    gone_present: int
    gone_absent: int

    @property
    def kept(self) -> int:
        return self.kept_present + self.kept_absent

    @property
    def gone(self) -> int:
        return self.gone_present + self.gone_absent


def facts_of(records: Records) -> pd.DataFrame:
    """One row per established fact of the scored records: where, arm, kind, fact, present."""
    rows = [
        {
            "trial_id": record["trial_id"],
            "task": record["task"],
            "prefix": record["prefix_hash"],
            "arm": record["arm"],
            "fact": fact["id"],
            "kind": fact["kind"],
            "present": bool(fact["present"]),
        }
        for record in records
        if record["status"] == "scored"
        for fact in record["facts"]
    ]
    if not rows:
        raise UserError("no scored record with established facts")
    return pd.DataFrame(rows)


def labelled(facts: pd.DataFrame, labels: Records) -> pd.DataFrame:
    """The labels beside what the patterns found. Raises UserError for a fact no record has."""
    given = pd.DataFrame(labels)[["trial_id", "fact", "label"]]
    if given.duplicated(["trial_id", "fact"]).any():
        twice = given[given.duplicated(["trial_id", "fact"])].iloc[0]
        raise UserError(f"labels: {twice['trial_id']} {twice['fact']} is labelled twice")
    both = given.merge(facts, on=["trial_id", "fact"], how="left", validate="one_to_one")
    if both["present"].isna().any():
        first = both[both["present"].isna()].iloc[0]
        raise UserError(f"labels: no record of the run has {first['trial_id']} {first['fact']}")
    return both.assign(present=both["present"].astype(bool), kept=both["label"] == "kept")


def counts_of(rows: pd.DataFrame) -> Counts:
    """Counts over labelled rows."""
    kept, present = rows["kept"], rows["present"]
    return Counts(
        int((kept & present).sum()),
        int((kept & ~present).sum()),
        int((~kept & present).sum()),
        int((~kept & ~present).sum()),
    )


def corrected(
    facts: pd.DataFrame, counts: Counts, seed: int = stats.SEED
) -> tuple[float | None, Interval | None]:
    """The share of facts that are really there, from the share that the patterns find.

    (found + specificity - 1) / (sensitivity + specificity - 1), cut to 0 and 1. Interval:
    percentile, over resampled prefixes and over the uncertainty of both rates (uniform prior). None
    where a rate is unknown, or the patterns tell next to nothing. Source: Rogan and Gladen 1978,
    Am. J. Epidemiol. 107:71.
    """
    if not counts.kept or not counts.gone:
        return None, None
    skill = counts.kept_present / counts.kept + counts.gone_absent / counts.gone - 1
    if skill < stats.MIN_SPAN:
        return None, None
    false = counts.gone_present / counts.gone
    value = float(np.clip((facts["present"].mean() - false) / skill, 0, 1))
    groups = facts.groupby("prefix")["present"].agg(["sum", "count"]).to_numpy(dtype=float)
    rng = np.random.default_rng(seed)
    drawn = groups[rng.integers(len(groups), size=(DRAWS, len(groups)))].sum(axis=1)
    sensitivity = rng.beta(counts.kept_present + 1, counts.kept_absent + 1, DRAWS)
    specificity = rng.beta(counts.gone_absent + 1, counts.gone_present + 1, DRAWS)
    skills = np.maximum(sensitivity + specificity - 1, stats.MIN_SPAN)
    shares = np.clip((drawn[:, 0] / drawn[:, 1] + specificity - 1) / skills, 0, 1)
    low, high = np.quantile(shares, [(1 - stats.LEVEL) / 2, (1 + stats.LEVEL) / 2])
    return value, Interval(float(low), float(high))


def detector_table(rows: pd.DataFrame, title: str = "") -> Table:
    """Sensitivity and specificity of the patterns per arm and per kind."""
    out = []
    for group, name in _groups(rows):
        mine = _of(rows, group, name)
        counts, labels = counts_of(mine), mine["label"].value_counts()
        told = [Cell(str(int(labels.get(label, 0)))) for label in ("kept", "changed", "lost")]
        shares = [
            share(counts.kept_present, counts.kept),
            share(counts.gone_absent, counts.gone),
            share(int((mine["kept"] == mine["present"]).sum()), len(mine)),
        ]
        out.append(Row((Cell(name), *told, *shares), group))
    columns = ("", "kept", "changed", "lost", "sensitivity", "specificity", "agreement")
    notes = (
        "kept, changed, lost: labels given by reading, blind to the patterns. sensitivity: found "
        "by the patterns, of what is kept; specificity: not found, of what is changed or lost. k/n "
        "(share) [95 % Wilson]; facts of one summary are not independent, so intervals are narrow.",
    )
    return Table(
        "detector", _titled("Patterns against a reader", title), columns, tuple(out), notes
    )


def corrected_table(facts: pd.DataFrame, rows: pd.DataFrame, title: str = "") -> Table:
    """Retention as the patterns find it, as it is without their errors, and as read."""
    out = []
    for group, name in _groups(facts):
        mine, read = _of(facts, group, name), _of(rows, group, name)
        value, ends = corrected(mine, counts_of(read))
        found = share(int(mine["present"].sum()), len(mine))
        as_read = share(int(read["kept"].sum()), len(read))
        out.append(Row((Cell(name), found, _interval(value, ends), as_read), group))
    columns = ("", "found by the patterns", "corrected [95 %]", "kept, of the facts read")
    notes = (
        "corrected: (found + specificity - 1) / (sensitivity + specificity - 1) with the rates of "
        "the row, cut to 0 and 100 % (Rogan and Gladen 1978); interval over resampled prefixes and "
        "the uncertainty of both rates. k/n (share) [95 % Wilson].",
    )
    heading = _titled("Retention without the patterns' errors", title)
    return Table("retention_corrected", heading, columns, tuple(out), notes)


def beside_table(facts: pd.DataFrame, beside: pd.DataFrame, names: tuple[str, str]) -> Table:
    """Facts found per arm and kind in two runs over the same prefixes.

    names: who wrote the summaries of either. Raises UserError where they share no prefix.
    """
    common = set(facts["prefix"]) & set(beside["prefix"])
    if not common:
        raise UserError("the two runs have no prefix in common")
    both = [frame[frame["prefix"].isin(common)] for frame in (facts, beside)]
    out = []
    for arm in _arms(both[0]):
        of_arm = [frame[frame["arm"] == arm] for frame in both]
        for kind in (*sorted(set(of_arm[0]["kind"])), ALL):
            mine = [f if kind == ALL else f[f["kind"] == kind] for f in of_arm]
            cells = [share(int(f["present"].sum()), len(f)) for f in mine]
            out.append(Row((Cell(arm), Cell(kind), *cells), arm))
    columns = ("strategy", "kind", *names)
    notes = (
        f"Facts that the patterns find in the first view after the seam, of those established; "
        f"{len(common)} prefixes, the same for both. k/n (share) [95 % Wilson].",
    )
    return Table("retention_by_kind", "Facts kept, by kind", columns, tuple(out), notes)


def literal_table(
    found: Sequence[tuple[str, str, int, Mapping[str, tuple[int, int]]]],
) -> Table:
    """What summaries hold letter by letter, and what was reported of others.

    found: who wrote them, arm or agent, how many, counts as (found, of so many) by COUNTED.
    """
    out = []
    for group in dict.fromkeys(name for name, *_ in found):
        arms = {arm: (size, counts) for name, arm, size, counts in found if name == group}
        out += [_literal_row(group, arm, *arms[arm]) for arm in sorted(arms, key=_in_order)]
    notes = (
        "Names of edited and of only read files, without folders; shell commands; short messages "
        "of the user: letter by letter in what stands in place of the history (a card counts), "
        "each once per summary, of those in the history before it. k/n (share) [95 % Wilson].",
    )
    columns = ("summaries by", "strategy or agent", "summaries", *COUNTED)
    rows = (*out, _literal_row(*ELSEWHERE))
    return Table("letter_by_letter", "Letter by letter in the summary", columns, rows, notes)


def _literal_row(group: str, arm: str, size: int, counts: Mapping[str, tuple[int, int]]) -> Row:
    cells = [share(*counts[name]) for name in COUNTED]
    return Row((Cell(group), Cell(arm), Cell(str(size)), *cells), group)


def share(k: int, n: int) -> Cell:
    """k/n (share) [Wilson]."""
    ends = stats.wilson(k, n)
    if ends is None:
        return Cell(None, {"k": 0, "n": 0})
    text = f"{k}/{n} ({100 * k / n:.0f}%) [{100 * ends.low:.0f}, {100 * ends.high:.0f}]"
    return Cell(text, {"k": k, "n": n, "share": k / n, "low": ends.low, "high": ends.high})


def _interval(value: float | None, ends: Interval | None) -> Cell:
    if value is None or ends is None:
        return Cell(None, {"share": None, "low": None, "high": None})
    text = f"{100 * value:.0f}% [{100 * ends.low:.0f}, {100 * ends.high:.0f}]"
    return Cell(text, {"share": value, "low": ends.low, "high": ends.high})


def _groups(frame: pd.DataFrame) -> list[tuple[str, str]]:
    """(group, name) of every arm, every kind, and all."""
    found = [("by strategy", arm) for arm in _arms(frame)]
    found += [("by kind", kind) for kind in sorted(set(frame["kind"]))]
    return [*found, ("", ALL)]


def _of(frame: pd.DataFrame, group: str, name: str) -> pd.DataFrame:
    column = {"by strategy": "arm", "by kind": "kind"}.get(group)
    return frame if column is None else frame[frame[column] == name]


def _arms(frame: pd.DataFrame) -> list[str]:
    """Arms with numbers in their options in the order of the numbers."""
    return sorted(set(frame["arm"]), key=_in_order)


def _in_order(arm: str) -> list[tuple[int, str]]:
    return [_number(part) for part in arm.split("=")]


def _number(part: str) -> tuple[int, str]:
    digits = part.rstrip("]")
    return (int(digits), "") if digits.isdigit() else (0, part)


def _titled(text: str, more: str) -> str:
    return f"{text} ({more})" if more else text
