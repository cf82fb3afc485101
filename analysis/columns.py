"""Records as columns: the types of all their fields, from dicts or a parquet file to Arrow.

Nested fields are structs and lists, so that a million records are read without a loop. What only
people read, and differs from run to run, is JSON text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from harness.errors import UserError
from harness.types import ITEMS

VERDICT_ITEMS = tuple(item for item in ITEMS if item != "context")
PHASES = ("prefix", "compaction", "recovery", "window", "after")
WINDOWS = ("registered", "extended", "from_seam")
VIEW = ("before", "after", "summary", "card", "injected")
NAMES = ("run_id", "study", "task", "family", "codebase", "split", "language", "arm", "strategy")
NAMES += ("model", "agent", "timing", "prefix_hash", "prefix_kind", "status", "reason")
NAMES += ("first_response",)
COUNTS = ("repeat", "prefix_draw", "compaction_draw", "continuation_draw")
COUNTS += ("turns_to_resume", "turns_followed", "tokens_reread", "malformed_calls")
FLAGS = ("simulated", "noop", "plan_kept", "completed", "continued", "continued_strict")
_JSON = ("options", "budget", "seconds")
FACT_TEXT = ("id", "kind", "loss")
FACT_FLAGS = ("present", "exposed", "obeyed")
FACT_COUNTS = ("stated_turn", "mentions", "age_tokens")

READ_BY_PEOPLE = ("options", "budget", "seconds", "notes", "started_at", "task_hash", "sandbox")
READ_BY_PEOPLE += ("harness_version", "model_fingerprint", "rubric_version")
_TEXT = ("trial_id", "rubric_hash", "model_sha256", *NAMES, *READ_BY_PEOPLE)
_EVIDENCE = ("where", "what", "fact", "mode")
_NOT_FRAMED = re.compile(
    r"evidence\.list\.element\.(where|what|fact|mode)$|^windows\.\w+\.turns\b|^seam\.offset$"
    r"|^windows\.(extended|from_seam)\.(items\.\w+\.(passed|evidence\b)|failure_modes\b)"
    r"|^tokens\.\w+\.reasoning$"
)


def _struct(**fields: pa.DataType) -> pa.DataType:
    return pa.struct(list(fields.items()))


def schema() -> pa.Schema:
    """Name and type of every field of a record."""
    text, number, flag = pa.string(), pa.int64(), pa.bool_()
    evidence = pa.list_(_struct(turn=number, **dict.fromkeys(_EVIDENCE, text)))
    item = _struct(passed=flag, exercised=flag, evidence=evidence)
    window = _struct(
        continued=flag,
        continued_strict=flag,
        items=_struct(**dict.fromkeys(ITEMS, item)),
        failure_modes=pa.list_(text),
        interventions=number,
        turns=pa.list_(number),
    )
    kinds = dict.fromkeys(FACT_TEXT, text) | dict.fromkeys(FACT_FLAGS, flag)
    used = _struct(**dict.fromkeys(("input", "cached", "output", "reasoning"), number))
    paid = _struct(list=pa.float64(), cached=pa.float64())
    seam = _struct(index=number, turn=number, offset=number, done=pa.list_(text))
    types = dict.fromkeys(_TEXT, text) | dict.fromkeys(("addons", "notes"), pa.list_(text))
    types |= dict.fromkeys(("schema_version", *COUNTS), number) | dict.fromkeys(FLAGS, flag)
    types |= {
        "attempts": pa.list_(text),
        **dict.fromkeys(("summariser", "extractor"), _struct(name=text, sha256=text)),
        "seam": pa.struct([*seam, ("open", pa.list_(text))]),
        "view_tokens": _struct(**dict.fromkeys(VIEW, number)),
        "windows": _struct(**dict.fromkeys(WINDOWS, window)),
        "facts": pa.list_(_struct(**kinds, **dict.fromkeys(FACT_COUNTS, pa.int32()))),
        "tokens": _struct(**dict.fromkeys(PHASES, used)),
        "cost_usd": _struct(**dict.fromkeys(PHASES, paid)),
    }
    return pa.schema(list(types.items()))


def to_table(records: Sequence[Mapping[str, Any]]) -> pa.Table:
    """One row per record; absent fields are null, fields that no frame knows are JSON text.

    Raises UserError that names the first record and the field whose value is of another kind.
    """
    given = schema()
    columns = [_column(records, field) for field in given]
    table = pa.Table.from_arrays(columns, schema=given)
    for name in sorted({name for record in records for name in record} - set(given.names)):
        texts = [json.dumps(r[name], ensure_ascii=False) if name in r else None for r in records]
        table = table.append_column(name, pa.array(texts, pa.string()))
    return table


def complete(table: pa.Table) -> pa.Table:
    """`table` with a column of nulls for every field that it lacks."""
    for field in schema():
        if field.name not in table.column_names:
            table = table.append_column(field, pa.nulls(len(table), field.type))
    return table


def _column(records: Sequence[Mapping[str, Any]], field: pa.Field) -> pa.Array:
    values = [record.get(field.name) for record in records]
    if field.name in _JSON:
        values = [None if v is None else json.dumps(v, ensure_ascii=False) for v in values]
    elif field.name == "attempts":
        values = [_texts(v or []) for v in values]
    try:
        return pa.array(values, field.type)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise _misfit(records, values, field) from error


def _texts(value: Any) -> Any:
    """A list's entries as JSON; what is no list is left for the type to refuse."""
    if not isinstance(value, list):
        return value
    return [json.dumps(entry, ensure_ascii=False) for entry in value]


def _misfit(
    records: Sequence[Mapping[str, Any]], values: Sequence[Any], field: pa.Field
) -> UserError:
    for record, value in zip(records, values, strict=True):
        try:
            pa.array([value], field.type)
        except (pa.ArrowException, TypeError, ValueError):
            who = record.get("trial_id")
            return UserError(
                f"record {who}: `{field.name}` should be {told(field.type)} or null, and is "
                f"{str(value)[:40]!r}"
            )
    return UserError(f"records: `{field.name}` should be {told(field.type)} or null")


def told(kind: pa.DataType) -> str:
    """A type in words."""
    if pa.types.is_struct(kind):
        return "an object"
    if pa.types.is_list(kind):
        return "a list"
    if pa.types.is_boolean(kind):
        return "true, false"
    return "text" if pa.types.is_string(kind) else "a number"


def read_parquet(path: Path) -> pa.Table:
    """The fields that frames are made from, as `seambench records --to parquet` writes them.

    Raises UserError for a file that cannot be read or a field of another type.
    """
    try:
        found = pq.read_schema(path)
        for field in schema():
            at = found.get_field_index(field.name)
            if at >= 0 and found.field(at).type != field.type:
                raise UserError(
                    f"{path}: column `{field.name}` is {found.field(at).type}, expected "
                    f"{told(field.type)}; write it with `seambench records RUN --to parquet`"
                )
        wanted = [f for f in schema() if f.name in found.names and f.name not in READ_BY_PEOPLE]
        leaves = [leaf for field in wanted for leaf in _leaves(field.name, field.type)]
        leaves = [leaf for leaf in leaves if not _NOT_FRAMED.search(leaf)]
        texts = [f.name for f in wanted if f.name in NAMES]
        texts += [f"facts.list.element.{name}" for name in FACT_TEXT]
        file = pq.ParquetFile(path, read_dictionary=texts)
        # group by group: Arrow cannot read nested names as categories over several of them
        groups = range(file.num_row_groups)
        return pa.concat_tables(file.read_row_group(n, columns=leaves) for n in groups)
    except (pa.ArrowException, OSError) as error:
        raise UserError(f"{path}: cannot be read as parquet: {error}") from None


def _leaves(name: str, kind: pa.DataType) -> Iterator[str]:
    """Names of the leaves that parquet stores of a field."""
    if pa.types.is_struct(kind):
        for field in kind:
            yield from _leaves(f"{name}.{field.name}", field.type)
    elif pa.types.is_list(kind):
        yield from _leaves(f"{name}.list.element", kind.value_type)
    else:
        yield name
