"""Records as they are read: which may be read at all, and which may be pooled."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.types import SCHEMA_VERSION

Source = tuple[str, str, bool]
"""Model, agent, simulated or not: what must be equal for records to be pooled."""

_REQUIRED = ("trial_id", "task", "arm", "status")


def load_records(path: Path) -> list[dict[str, Any]]:
    """Records of a records.jsonl; a later line of a trial replaces an earlier one (a retry).

    A last line without its newline that cannot be read was torn by a stop, and is left out.
    Raises UserError, with the line number, for damage anywhere else and for a missing file.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        why = error.strerror or "cannot be read"
        raise UserError(f"{path}: {why}; expected the records.jsonl of a run") from error
    records: dict[tuple[Any, Any], dict[str, Any]] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line.decode("utf-8"))
        except ValueError as error:
            if number == len(lines):
                break
            raise UserError(
                f"{path}, line {number}: not readable as JSON; restore this line or remove it"
            ) from error
        if not isinstance(record, dict):
            raise UserError(f"{path}, line {number}: expected a record (a JSON object)")
        records[record.get("run_id"), record.get("trial_id", number)] = record
    return list(records.values())


def check_records(records: Sequence[Mapping[str, Any]]) -> None:
    """Raise UserError for records that must not be read, or not be read together."""
    for number, record in enumerate(records, start=1):
        for name in _REQUIRED:
            if not isinstance(record.get(name), str):
                who = record.get("trial_id") or f"number {number}"
                raise UserError(f"record {who}: `{name}` is missing or not text")
        version = record.get("schema_version", SCHEMA_VERSION)
        if not isinstance(version, int) or version > SCHEMA_VERSION:
            raise UserError(
                f"record {record['trial_id']}: schema version {version} is newer than "
                f"{SCHEMA_VERSION}, which this program reads; update seambench"
            )
    hashes = sorted({str(r["rubric_hash"]) for r in records if r.get("rubric_hash")})
    if len(hashes) > 1:
        short = ", ".join(value[:12] for value in hashes)
        raise UserError(f"records mix rubrics ({short}); rescore them under one rubric first")


def by_source(records: Sequence[Mapping[str, Any]]) -> dict[Source, list[Mapping[str, Any]]]:
    """Records that may be pooled, by model, agent, simulated or not; sorted.

    A trial that failed before a model answered does not know which: it stands with the scored
    trials of its run, where those are of one kind.
    """
    of_run: dict[Any, set[Source]] = defaultdict(set)
    for record in records:
        if record["status"] == "scored":
            of_run[record.get("run_id")].add(_source(record))
    groups: dict[Source, list[Mapping[str, Any]]] = defaultdict(list)
    for record in records:
        known = of_run[record.get("run_id")]
        alone = record.get("simulated") is None and record["status"] != "scored"
        key = next(iter(known)) if alone and len(known) == 1 else _source(record)
        groups[key].append(record)
    return dict(sorted(groups.items()))


def _source(record: Mapping[str, Any]) -> Source:
    return (
        str(record.get("model") or "unknown"),
        str(record.get("agent") or "unknown"),
        bool(record.get("simulated")),
    )


def seam_index(record: Mapping[str, Any]) -> int:
    """Which seam of its trial a record is about, from 1."""
    return part(record, "seam").get("index") or 1


def part(record: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A field that holds an object, {} for null. Raises UserError for anything else."""
    part = record.get(name) or {}
    if not isinstance(part, Mapping):
        raise UserError(f"record {record['trial_id']}: `{name}` should be an object or null")
    return part
