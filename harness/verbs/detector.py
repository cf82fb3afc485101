"""Verbs about the patterns that say which facts a view holds: detector-sample, detector."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.store import RunFolder
from harness.types import Record, Status
from harness.verbs.common import run_folder, say


def detector_sample(run: str, count: int, seed: int, out: str) -> int:
    """Write a sheet of facts to label, and what is to be read."""
    from harness.labels import LABELS, draw_facts

    sheet = Path(out)
    drawn = draw_facts(run_folder(run), count, seed, sheet)
    say(f"{drawn} facts to label {', '.join(LABELS)}: {sheet}")
    say(f"to be read: {sheet.with_suffix('.md')}")
    say(f"when it is filled in: seambench detector {run} {sheet}")
    return 0


def detector(run: str, sheet: str, beside: str | None, out: str | None) -> int:
    """What the patterns are worth against a filled sheet; retention without their errors."""
    from analysis.detector import (
        beside_table,
        corrected_table,
        detector_table,
        facts_of,
        labelled,
    )
    from harness.labels import read_labels

    folder = run_folder(run)
    records = _scored(folder)
    facts = facts_of(records)
    rows = labelled(facts, read_labels(Path(sheet)))
    title = _title(records)
    tables = [detector_table(rows, title), corrected_table(facts, rows, title)]
    if beside:
        other = _scored(run_folder(beside))
        names = (_summariser(records), _summariser(other))
        tables.append(beside_table(facts, facts_of(other), names))
    target = Path(out) if out else folder.root / "report" / "tables"
    target.mkdir(parents=True, exist_ok=True)
    for table in tables:
        say("\n" + table.to_text())
        for suffix, text in (("md", table.to_markdown()), ("csv", table.to_csv())):
            (target / f"{table.name}.{suffix}").write_text(text, encoding="utf-8")
    say(f"tables: {target}")
    return 0


def _scored(folder: RunFolder) -> list[Record]:
    records = [r for r in folder.records() if r["status"] == Status.SCORED]
    if not records:
        raise UserError(f"{folder.root}: no scored trial")
    return records


def _title(records: list[Record]) -> str:
    """Who wrote the summaries, and that the agent is no language model where it is none."""
    agent = "simulated: reference worker" if records[0]["simulated"] else records[0]["model"]
    return f"summaries by {_summariser(records)}; agent {agent}"


def _summariser(records: list[Record]) -> str:
    found: dict[str, Any] = records[0].get("summariser") or {}
    usual = "extractive summariser" if records[0]["simulated"] else records[0]["model"]
    return str(found.get("name") or usual)
