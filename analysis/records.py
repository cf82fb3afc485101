"""Records as they are read: which may be read at all, and which may be pooled."""

from __future__ import annotations

import itertools
import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from analysis.columns import READ_BY_PEOPLE, VERDICT_ITEMS, WINDOWS, complete, schema, to_table
from harness.errors import UserError
from harness.types import SCHEMA_VERSION

T = TypeVar("T")
TOGETHER = 500
_REQUIRED = ("trial_id", "task", "arm", "status")
_NAMES_IT = "`seambench verify RUN` names what differs from the transcripts"
_ROLES = ("summariser", "extractor")
_SOURCE = ("run_id", "model", "model_sha256", "agent", "simulated", "status", *_ROLES)


class Source(NamedTuple):
    """Who made records: what must be equal for them to be pooled. "": not known.

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
        own = f"summaries by {self.summariser}" if self.summariser else ""
        return _joined(self.model or "unknown model", self._agent, own, self._states)

    @property
    def told(self) -> str:
        """For captions: whose the summaries are is always said."""
        usual = "the extractive summariser (simulated)" if self.simulated else "the model itself"
        model = f"model {self.model}" if self.model else ""
        by = f"summaries by {self.summariser or usual}"
        return _joined(model, self._agent, by, self._states)

    @property
    def _agent(self) -> str:
        return f"agent {self.agent}" if self.agent else ""

    @property
    def _states(self) -> str:
        return f"states by {self.extractor}" if self.extractor else ""


def load_records(path: Path) -> list[dict[str, Any]]:
    """Records of a records.jsonl, whole; see `read_lines`. A later line of a trial replaces an
    earlier one (a retry)."""
    return list({_key(*line): line[1] for line in read_lines(path)}.values())


def load_columns(path: Path, keep: Callable[[Mapping[str, Any]], T]) -> tuple[pa.Table, list[T]]:
    """The same records as columns, and beside each row what `keep` takes of its record.

    No more than TOGETHER records are in memory as they are. Columns that only people read are
    left out.
    """
    tables: list[pa.Table] = []
    kept: list[T] = []
    place: dict[tuple[Any, Any], int] = {}
    lines = read_lines(path)
    while chunk := list(itertools.islice(lines, TOGETHER)):
        table = to_table([record for _, record in chunk])
        _check_required(table, len(kept))
        for line in chunk:
            place[_key(*line)] = len(kept)
            kept.append(keep(line[1]))
        tables.append(table.select([name for name in schema().names if name not in READ_BY_PEOPLE]))
    if not tables:
        raise UserError(f"{path}: no records yet; run `seambench run` first")
    rows, whole = list(place.values()), complete(pa.concat_tables(tables))
    if len(rows) < len(kept):
        whole, kept = whole.take(pa.array(rows)), [kept[row] for row in rows]
    return whole, kept


def read_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Numbers and records of the lines of a records.jsonl.

    A last line without its newline that cannot be read was torn by a stop, and is left out.
    Raises UserError, with the line number, for damage anywhere else and for a missing file.
    """
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip() and (record := _read(line, f"{path}: line {number}")) is not None:
                    yield number, record
    except OSError as error:
        why = error.strerror or "cannot be read"
        raise UserError(f"{path}: {why}; expected the records.jsonl of a run") from error


def _read(line: bytes, where: str) -> dict[str, Any] | None:
    try:
        record = json.loads(line.decode("utf-8"))
    except ValueError as error:
        if not line.endswith(b"\n"):
            return None
        told = f"{where} is damaged: not readable as JSON; restore this line or remove it"
        raise UserError(told) from error
    if not isinstance(record, dict):
        raise UserError(f"{where} is damaged: expected a record (a JSON object)")
    return record


def _key(number: int, record: Mapping[str, Any]) -> tuple[Any, Any]:
    """Identity of a record; without a trial id none is taken for another."""
    return record.get("run_id"), record.get("trial_id", number)


def check(table: pa.Table) -> None:
    """Raise UserError for records that must not be read, or not be read together."""
    _check_required(table)
    ids = table.column("trial_id")
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


def _check_required(table: pa.Table, before: int = 0) -> None:
    """before: records that were read before these."""
    for name in _REQUIRED:
        at = pc.index(pc.is_null(table.column(name)), True).as_py()
        if at >= 0:
            who = table.column("trial_id")[at].as_py() or f"number {before + at + 1}"
            raise UserError(f"record {who}: `{name}` is missing")


def _check_verdicts(table: pa.Table) -> None:
    """A verdict that its own window or items deny was not written by the scorer."""
    window = pc.struct_field(table.column("windows"), "registered")
    items = pc.struct_field(window, "items")
    any_failed = reduce(pc.or_, [_failed(window, item) for item in VERDICT_ITEMS])
    for verdict, other in (
        ("continued", pc.struct_field(window, "continued")),
        ("continued_strict", pc.struct_field(window, "continued_strict")),
        ("continued_strict", pc.if_else(pc.is_valid(items), pc.invert(any_failed), None)),
    ):
        differs = pc.fill_null(pc.not_equal(table.column(verdict), other), False)
        at = pc.index(pc.and_(differs, pc.equal(table.column("status"), "scored")), True).as_py()
        if at >= 0:
            raise UserError(
                f"record {table.column('trial_id')[at]}: `{verdict}` is not what its window says: "
                f"it was edited; {_NAMES_IT}"
            )


def check_weights(table: pa.Table, weights: Mapping[str, str]) -> None:
    """Raise UserError where the items of a window, by their weights, deny a verdict of it."""
    scored = pc.equal(table.column("status"), "scored")
    counted = {"continued": ("high",), "continued_strict": ("high", "medium")}
    for name in WINDOWS:
        window = pc.struct_field(table.column("windows"), name)
        known = pc.and_(scored, pc.is_valid(pc.struct_field(window, "items")))
        for verdict, kinds in counted.items():
            failed = [_failed(window, item) for item, kind in weights.items() if kind in kinds]
            denied = pc.equal(pc.struct_field(window, verdict), reduce(pc.or_, failed))
            at = pc.index(pc.and_(pc.fill_null(denied, False), known), True).as_py()
            if at >= 0:
                raise UserError(
                    f"record {table.column('trial_id')[at]}: `{verdict}` of the {name} window is "
                    f"not what its items say: it was edited; {_NAMES_IT}"
                )


def _failed(window: pa.ChunkedArray, item: str) -> pa.ChunkedArray:
    passed = pc.struct_field(window, ["items", item, "passed"])
    return pc.fill_null(pc.invert(passed), False)


def by_source(records: Sequence[Mapping[str, Any]] | pa.Table) -> dict[Source, list[int]]:
    """Who made records -> the places of those that may be pooled; sorted.

    A trial without a score, or in which no model answered, does not say which one would have: it
    stands with the scored trials of its run, where those are of one kind.
    """
    rows = records.select(_SOURCE).to_pylist() if isinstance(records, pa.Table) else records
    of_run = _of_run(rows)
    groups: dict[Source, list[int]] = defaultdict(list)
    for place, record in enumerate(rows):
        groups[_source(record, of_run)].append(place)
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
        _named(record.get("model"), record.get("model_sha256")),
        str(record.get("agent") or ""),
        bool(record.get("simulated")),
        *(_named(each.get("name"), each.get("sha256")) for each in asked),
    )


def _joined(*parts: str) -> str:
    """What is known."""
    return ", ".join(part for part in parts if part)


def _named(name: str | None, sha256: str | None) -> str:
    """A model by its name, and by its file where that is known."""
    return f"{name or ''} (sha256 {sha256[:12]})".strip() if sha256 else name or ""
