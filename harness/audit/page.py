"""One HTML page: rates, then every session with its seams on a line, the lost facts first.

Nothing is loaded from elsewhere; every text of a session is escaped by the template.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from harness.audit.behaviour import LONG
from harness.audit.rates import (
    GROUPS,
    LITERAL,
    NOTED,
    Row,
    by_group,
    by_kind,
    by_measure,
    by_survival,
)
from harness.audit.report import Result
from harness.audit.survival import COUNTED
from harness.audit.template import PAGE
from harness.audit.terminal import of, share

SEAMS = 300
"""Seams that the page shows in full; rates are over all of them."""
WIDTH = 1000
"""Length of a session's line, in units of the drawing."""


def page(result: Result) -> str:
    """The page's text. Raises nothing for an audit without seams."""
    from jinja2 import Environment

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["share"] = share
    environment.globals["of"] = of
    shown = sorted(result.seams, key=lambda s: -_count(s, "lost"))[:SEAMS]
    return environment.from_string(PAGE).render(
        result=result,
        kinds=by_kind(result.seams),
        measures=by_measure(result.seams),
        groups={name: by_group(result.seams, name) for name in GROUPS},
        noted=NOTED,
        literal=by_survival(result.seams),
        counted=COUNTED,
        literally=LITERAL,
        sessions=_sessions(result, shown),
        hidden=len(result.seams) - len(shown),
        long=LONG,
    )


def _sessions(result: Result, shown: Sequence[Row]) -> list[dict[str, Any]]:
    """Those that lost most come first."""
    found = [_session(one, shown) for one in result.sessions if one["seams"]]
    return sorted(found, key=lambda one: -sum(_count(seam, "lost") for seam in one["marks"]))


def _count(seam: Row, word: str) -> int:
    return sum(counts[word] for counts in seam["counts"].values())


def _session(session: Row, shown: Sequence[Row]) -> dict[str, Any]:
    mine = [s for s in shown if (s["session"], s["file"]) == (session["id"], session["file"])]
    turns = max(session["turns"], 1)
    return {
        **session,
        "marks": [_mark(seam, turns) for seam in sorted(mine, key=lambda s: s["seam"])],
        "ticks": [round(WIDTH * turn / turns, 1) for turn in session["user_turns"]],
        "width": WIDTH,
    }


def _mark(seam: Row, turns: int) -> dict[str, Any]:
    order = {"lost": 0, "unclear": 1, "unread": 2, "kept": 3}
    facts = sorted(seam["facts"], key=lambda f: (order[f["verdict"]], f["by"] != "user"))
    findings = [
        {"measure": name.replace("_", " "), **finding}
        for name, measure in seam["behaviour"].items()
        for finding in measure["findings"]
    ]
    cannot = {n.replace("_", " "): m["cannot"] for n, m in seam["behaviour"].items() if m["cannot"]}
    return {
        **seam,
        "x": round(WIDTH * seam["turn"] / turns, 1),
        "dots": [round(WIDTH * (seam["turn"] + f["turn"]) / turns, 1) for f in findings],
        "sorted_facts": facts,
        "findings": sorted(findings, key=lambda f: f["turn"]),
        "cannot": cannot,
        "words": {word: _count(seam, word) for word in order},
    }
