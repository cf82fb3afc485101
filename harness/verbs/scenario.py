"""`seambench scenario`: agents that share a workspace, and what becomes of their notes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from analysis.table import Cell, Row, Table
from harness.config import config_folder
from harness.errors import UserError
from harness.pair import Outcome, play, read_scenario
from harness.scratch import Scratch
from harness.text import nearest
from harness.verbs.common import say

NOTES = (
    "notes: versions of a task file that the agents wrote; overwritten: replaced by the other "
    "agent before their author wrote again; last notes kept: agents whose last version is on disk; "
    "older changed: rounds in which an older line of the common decisions was changed or doubled."
)


def scenario(name: str, overrides: Sequence[str]) -> int:
    """Play a scenario in all its ways and print what was kept and what was lost."""
    folder = config_folder() / "scenario"
    path = Path(name) if name.endswith((".yaml", ".yml")) else folder / f"{name}.yaml"
    if not path.is_file():
        known = [each.stem for each in folder.glob("*.yaml")]
        raise UserError(f"scenario: no {name!r}; nearest: {nearest(name, known)}")
    chosen = read_scenario(path)
    with Scratch() as scratch:
        outcomes, simulated = asyncio.run(play(chosen, overrides, Path(scratch)))
    title = f"Two agents on {chosen.task}" + (" (simulated: reference worker)" if simulated else "")
    say(table(title, outcomes).to_text())
    return 0


def table(title: str, outcomes: Sequence[Outcome]) -> Table:
    """A row for each way."""
    columns = ("task files", "notes", "overwritten", "last notes kept", "decisions")
    columns += ("older changed", "pieces done")
    rows = [
        (o.way, o.notes, o.lost, f"{o.kept} of 2", o.decisions, o.rewritten, f"{o.done}/{o.pieces}")
        for o in outcomes
    ]
    cells = [Row(tuple(Cell(str(value)) for value in row)) for row in rows]
    return Table("two_agents", title, columns, tuple(cells), (NOTES,))
