"""Verbs about the patterns that say which facts a view holds: detector-sample, detector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.store import RunFolder
from harness.types import Record, Status
from harness.verbs.common import run_folder, say

Literal = tuple[str, str, int, Mapping[str, Any]]
"""Who wrote the summaries, arm or agent, how many summaries, counts as (found, of so many)."""


def detector_sample(run: str, count: int, seed: int, out: str) -> int:
    """Write a sheet of facts to label, and what is to be read."""
    from harness.labels import LABELS, draw_facts

    sheet = Path(out)
    drawn = draw_facts(run_folder(run), count, seed, sheet)
    say(f"{drawn} facts to label {', '.join(LABELS)}: {sheet}")
    say(f"to be read: {sheet.with_suffix('.md')}")
    say(f"when it is filled in: seambench detector {run} {sheet}")
    return 0


def detector(
    run: str, sheet: str, beside: str | None, sessions: str | None, out: str | None
) -> int:
    """What the patterns are worth against a filled sheet; retention without their errors.

    beside: a run over the same prefixes. sessions: a folder of session files.
    """
    from analysis.detector import (
        beside_table,
        corrected_table,
        detector_table,
        facts_of,
        labelled,
        literal_table,
    )
    from harness.labels import read_labels

    folder = run_folder(run)
    records = _scored(folder)
    facts = facts_of(records)
    rows = labelled(facts, read_labels(Path(sheet)))
    title = _title(records)
    tables = [detector_table(rows, title), corrected_table(facts, rows, title)]
    literal = _literal(folder, records)
    if beside:
        other_folder = run_folder(beside)
        other = _scored(other_folder)
        names = (_summariser(records), _summariser(other))
        tables.append(beside_table(facts, facts_of(other), names))
        prefixes = {record["prefix_hash"] for record in records}
        literal += _literal(other_folder, [r for r in other if r["prefix_hash"] in prefixes])
    tables.append(literal_table(literal + (_audited(sessions) if sessions else [])))
    target = Path(out) if out else folder.root / "report" / "tables"
    target.mkdir(parents=True, exist_ok=True)
    for table in tables:
        say("\n" + table.to_text())
        for suffix, text in (("md", table.to_markdown()), ("csv", table.to_csv())):
            (target / f"{table.name}.{suffix}").write_text(text, encoding="utf-8")
    say(f"tables: {target}")
    return 0


def _literal(folder: RunFolder, records: Sequence[Record]) -> list[Literal]:
    """Per arm, what its summaries hold letter by letter."""
    from harness.audit.survival import Counts, added, survival
    from harness.exports.trials import run_items
    from harness.readers.base import Mark

    arms = {record["trial_id"]: record["arm"] for record in records}
    found: dict[str, list[Counts]] = {}
    for trial_id, items in run_items(folder):
        marks = [item for item in items if isinstance(item, Mark)]
        if trial_id in arms and marks and (counts := survival(marks[-1])):
            found.setdefault(arms[trial_id], []).append(counts)
    by = _summariser(records)
    return [(by, arm, len(counts), added(counts)) for arm, counts in found.items()]


def _audited(sessions: str) -> list[Literal]:
    """Per agent, what the summaries in session files hold letter by letter."""
    from harness.audit import audit_paths
    from harness.audit.rates import by_survival

    rows = by_survival(audit_paths([sessions]).seams)
    return [("session files", row["agent"], row["seams"], row) for row in rows]


def _scored(folder: RunFolder) -> list[Record]:
    """The scored records of a run, which are of one kind: the first one tells who made them."""
    from analysis.records import by_source

    records = [r for r in folder.records() if r["status"] == Status.SCORED]
    if not records:
        raise UserError(f"{folder.root}: no scored trial")
    kinds = by_source(records)
    if len(kinds) > 1:
        names = "; ".join(kind.named for kind in kinds)
        raise UserError(f"{folder.root}: records mix models ({names}); take a run of one model")
    return records


def _title(records: Sequence[Record]) -> str:
    """Who wrote the summaries, and that the agent is no language model where it is none."""
    first = records[0]
    agent = "simulated: reference worker" if first.get("simulated") else first.get("model")
    return f"summaries by {_summariser(records)}" + (f"; agent {agent}" if agent else "")


def _summariser(records: Sequence[Record]) -> str:
    first = records[0]
    own = (first.get("summariser") or {}).get("name")
    simulated = bool(first.get("simulated"))
    usual = "extractive summariser" if simulated else first.get("model") or "the model itself"
    return str(own or usual)
