"""Records as they are read: which may be read at all, and which may be pooled."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from analysis.columns import VERDICT_ITEMS
from harness.errors import UserError
from harness.types import SCHEMA_VERSION

_REQUIRED = ("trial_id", "task", "arm", "status")
_ROLES = ("summariser", "extractor")
_SOURCE = ("run_id", "model", "model_sha256", "agent", "simulated", "status", *_ROLES)


class Source(NamedTuple):
    """Who made records: what must be equal for them to be pooled.

    summariser: who was asked for summaries where it was not the model itself, else ""; extractor:
    who was asked for states where it was not who is asked for summaries, else "".
    """

    model: str
    agent: str
    simulated: bool
    summariser: str
    extractor: str = ""

    @property
    def named(self) -> str:
        """For headings."""
        own = f", summaries by {self.summariser}" if self.summariser else ""
        return f"{self.model}, agent {self.agent}{own}{self._states}"

    @property
    def told(self) -> str:
        """For captions: whose the summaries are is always said."""
        usual = "the extractive summariser (simulated)" if self.simulated else "the model itself"
        asked = self.summariser or usual
        return f"model {self.model}, agent {self.agent}, summaries by {asked}{self._states}"

    @property
    def _states(self) -> str:
        return f", states by {self.extractor}" if self.extractor else ""


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


def check(table: pa.Table) -> None:
    """Raise UserError for records that must not be read, or not be read together."""
    ids = table.column("trial_id")
    for name in _REQUIRED:
        at = pc.index(pc.is_null(table.column(name)), True).as_py()
        if at >= 0:
            who = ids[at].as_py() or f"number {at + 1}"
            raise UserError(f"record {who}: `{name}` is missing")
    newest = pc.max(table.column("schema_version")).as_py() or 0
    if newest > SCHEMA_VERSION:
        at = pc.index(table.column("schema_version"), newest).as_py()
        raise UserError(
            f"record {ids[at]}: schema version {newest} is newer than {SCHEMA_VERSION}, which "
            "this program reads; update seambench"
        )
    counts = ids.value_counts()
    at = pc.index(pc.greater(pc.struct_field(counts, "counts"), 1), True).as_py()
    if at >= 0:
        raise UserError(
            f"trial {counts[at]['values']} is there more than once; report runs of the same "
            "plan as several runs, not in one file"
        )
    hashes = sorted(h for h in pc.unique(table.column("rubric_hash")).to_pylist() if h)
    if len(hashes) > 1:
        short = ", ".join(value[:12] for value in hashes)
        raise UserError(f"records mix rubrics ({short}); rescore them under one rubric first")
    _check_verdicts(table)


def _check_verdicts(table: pa.Table) -> None:
    """A verdict that its own window or items deny was not written by the scorer."""
    window = pc.struct_field(table.column("windows"), "registered")
    items = pc.struct_field(window, "items")
    failed = [
        pc.fill_null(pc.invert(pc.struct_field(items, [item, "passed"])), False)
        for item in VERDICT_ITEMS
    ]
    any_failed = failed[0]
    for flags in failed[1:]:
        any_failed = pc.or_(any_failed, flags)
    strict = pc.struct_field(window, "continued_strict")
    for verdict, other in (
        ("continued", pc.struct_field(window, "continued")),
        ("continued_strict", strict),
        ("continued_strict", pc.if_else(pc.is_valid(items), pc.invert(any_failed), None)),
    ):
        differs = pc.fill_null(pc.not_equal(table.column(verdict), other), False)
        at = pc.index(pc.and_(differs, pc.equal(table.column("status"), "scored")), True).as_py()
        if at >= 0:
            raise UserError(
                f"record {table.column('trial_id')[at]}: `{verdict}` is not what its window says: "
                "it was edited; `seambench verify RUN` names what differs from the transcripts"
            )


def by_source(records: Sequence[Mapping[str, Any]]) -> dict[Source, list[Mapping[str, Any]]]:
    """Records that may be pooled, by who made them; sorted.

    A trial without a score, or in which no model answered, does not say which one would have: it
    stands with the scored trials of its run, where those are of one kind.
    """
    of_run = _of_run(records)
    groups: dict[Source, list[Mapping[str, Any]]] = defaultdict(list)
    for record in records:
        groups[_source(record, of_run)].append(record)
    return dict(sorted(groups.items()))


def sources(table: pa.Table) -> list[Source]:
    """The kinds of records in a table, as `by_source` tells them apart."""
    columns = table.select(_SOURCE).flatten()  # what is grouped must not be nested
    kinds = [_nested(k) for k in columns.group_by(columns.column_names).aggregate([]).to_pylist()]
    of_run = _of_run(kinds)
    return sorted({_source(kind, of_run) for kind in kinds})


def _nested(kind: Mapping[str, Any]) -> dict[str, Any]:
    asked = {role: {n: kind[f"{role}.{n}"] for n in ("name", "sha256")} for role in _ROLES}
    return {**kind, **asked}


def _of_run(records: Sequence[Mapping[str, Any]]) -> dict[Any, set[Source]]:
    """Run -> the kinds of its scored trials."""
    found: dict[Any, set[Source]] = defaultdict(set)
    for record in records:
        if record["status"] == "scored" and record.get("model"):
            found[record.get("run_id")].add(_own_source(record))
    return found


def _source(record: Mapping[str, Any], of_run: Mapping[Any, set[Source]]) -> Source:
    known = of_run.get(record.get("run_id"), set())
    answered = record["status"] == "scored" and record.get("model")
    return next(iter(known)) if not answered and len(known) == 1 else _own_source(record)


def _own_source(record: Mapping[str, Any]) -> Source:
    asked = [record.get(role) or {} for role in _ROLES]
    return Source(
        _named(record.get("model"), record.get("model_sha256")) or "unknown",
        str(record.get("agent") or "unknown"),
        bool(record.get("simulated")),
        *(_named(each.get("name"), each.get("sha256")) for each in asked),
    )


def _named(name: str | None, sha256: str | None) -> str:
    """A model by its name, and by its file where that is known."""
    return f"{name or ''} (sha256 {sha256[:12]})".strip() if sha256 else name or ""
