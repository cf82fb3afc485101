"""Rates over many seams, by kind of fact and by agent, version, trigger and seam number."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from harness.audit.behaviour import LONG, MEASURES, SHORT
from harness.audit.facts import KINDS
from harness.audit.report import WORDS
from harness.audit.survival import SHORT_TEXT, added

Row = dict[str, Any]
SESSIONS = 3
"""Sessions from which an interval says something; with two it is nearly always everything."""

GROUPS: dict[str, Callable[[Row], str]] = {
    "agent": lambda seam: seam["agent"],
    "version": lambda seam: f"{seam['agent']} {seam['version']}".strip(),
    "trigger": lambda seam: seam["trigger"],
    "seam number": lambda seam: str(seam["seam"]) if seam["seam"] < 5 else "5 and more",
}
"""What seams are put together by."""
NOTED = (
    "kept: of the facts that are clearly kept or lost. Intervals are 95 %, clustered by session; "
    "blank for fewer than three sessions. Signs: of the seams where it can be told; Wilson "
    "interval, which takes seams as independent."
)
LITERAL = (
    "in the summary, letter by letter: names of files without their folders, shell commands, "
    f"messages of the user up to {SHORT_TEXT} characters; each once per seam, of the seams whose "
    "summary can be read."
)


def counted(seams: Sequence[Row]) -> list[Row]:
    """The seams that count: a copy in a forked file is the same seam."""
    return [seam for seam in seams if not seam["copy_of"]]


def by_kind(seams: Sequence[Row]) -> list[Row]:
    """One row for each kind of fact that was established anywhere."""
    found = []
    for kind in KINDS:
        facts = [(f["verdict"], s) for s in counted(seams) for f in s["facts"] if f["kind"] == kind]
        if facts:
            words = {word: sum(v == word for v, _ in facts) for word in WORDS}
            found.append({"kind": kind, "established": len(facts), **words, **_kept(facts)})
    return found


def by_measure(seams: Sequence[Row]) -> list[Row]:
    """One row for each measure of behaviour, within both windows."""
    return [_measure(name, counted(seams)) for name in MEASURES] if counted(seams) else []


def by_group(seams: Sequence[Row], name: str) -> list[Row]:
    """One row for each value of a grouping: seams, sessions, share kept, share with a sign."""
    groups: dict[str, list[Row]] = {}
    for seam in counted(seams):
        groups.setdefault(GROUPS[name](seam) or "unknown", []).append(seam)
    rows = []
    for value, members in sorted(groups.items()):
        facts = [(f["verdict"], s) for s in members for f in s["facts"]]
        told = [s for s in members if any(not m["cannot"] for m in s["behaviour"].values())]
        signs = sum(
            any(m[f"within_{LONG}"] == "yes" for m in s["behaviour"].values()) for s in told
        )
        rows.append(
            {
                name: value,
                "seams": len(members),
                "sessions": len({s["session"] for s in members}),
                "unreadable": sum(bool(s["unread"]) for s in members),
                "facts": len(facts),
                **_kept(facts),
                "with a sign": signs,
                "of": len(told),
                "sign_interval": _wilson(signs, len(told)),
            }
        )
    return rows


def by_survival(seams: Sequence[Row]) -> list[Row]:
    """One row for each agent: what stands in the summaries letter by letter, as (found, of)."""
    agents: dict[str, list[Any]] = {}
    for seam in counted(seams):
        if seam["survival"]:
            agents.setdefault(seam["agent"] or "unknown", []).append(seam["survival"])
    if len(agents) > 1:
        agents["all"] = [counts for some in list(agents.values()) for counts in some]
    return [{"agent": name, "seams": len(some), **added(some)} for name, some in agents.items()]


def rows(seams: Sequence[Row]) -> Iterator[Row]:
    """All tables as rows for the JSON Lines: `by` names the table."""
    tables = {"kind": by_kind(seams), "measure": by_measure(seams)}
    tables["survival"] = by_survival(seams)
    tables |= {name: by_group(seams, name) for name in GROUPS}
    for name, table in tables.items():
        yield from ({"type": "rate", "by": name, **row} for row in table)


def _measure(name: str, seams: Sequence[Row]) -> Row:
    row: Row = {"measure": name, "seams": len(seams)}
    row["cannot be told"] = sum(
        s["behaviour"][name][f"within_{SHORT}"] == "cannot be told" for s in seams
    )
    can = len(seams) - row["cannot be told"]
    for window in (SHORT, LONG):
        words = [s["behaviour"][name][f"within_{window}"] for s in seams]
        yes = words.count("yes")
        row[f"yes within {window}"] = yes
        row[f"maybe within {window}"] = words.count("maybe")
        row[f"interval within {window}"] = _wilson(yes, can)
    return row


def _kept(facts: Sequence[tuple[str, Row]]) -> Row:
    clear = [(word == "kept", seam["session"]) for word, seam in facts if word in ("kept", "lost")]
    if not clear:
        return {"share_kept": None, "interval": None}
    share = sum(kept for kept, _ in clear) / len(clear)
    return {"share_kept": share, "interval": _clustered(clear)}


def _clustered(values: Sequence[tuple[bool, str]]) -> tuple[float, float] | None:
    """t interval of the share with errors clustered by session, as `analysis.stats` computes it.

    Source: Liang and Zeger 1986, Biometrika 73:13. Written out here because statsmodels takes
    longer to load than all the files to be read.
    """
    sums: dict[str, list[float]] = {}
    share = sum(value for value, _ in values) / len(values)
    for value, session in values:
        sums.setdefault(session, []).append(value - share)
    groups = len(sums)
    spread = sum(sum(rest) ** 2 for rest in sums.values())
    if groups < SESSIONS or not spread:
        return None
    from scipy.stats import t

    error = math.sqrt(spread * groups / (groups - 1)) / len(values)
    half = float(t.ppf(0.975, groups - 1)) * error
    return max(0.0, share - half), min(1.0, share + half)


def _wilson(k: int, n: int) -> tuple[float, float] | None:
    if not n:
        return None
    from scipy.stats import binomtest

    found = binomtest(k, n).proportion_ci(method="wilson")
    return float(found.low), float(found.high)
