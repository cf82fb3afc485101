"""What others may take from a run: records and frozen prefixes as datasets, memories as a file.

Frozen prefixes let a new strategy be tried for the price of the turns after the seam.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.extract import extract
from harness.prefix import Frozen, load_prefix
from harness.store import RunFolder, write_atomic
from harness.strategies.memory_store import items_of
from harness.text import task_handle
from harness.transcript import Transcript
from harness.types import Record

RECORDS_CARD = """---
configs:
- config_name: default
  data_files: records.parquet
---
# Records of the seambench run {name}

{count} records, one a row; {simulated}. Column names are those of `harness/types.py`, `Record`;
`options`, `budget`, `seconds` and each of `attempts` are JSON text. Run digest and configuration:
lock.json, config.yaml.
"""

PREFIX_CARD = """---
configs:
- config_name: default
  data_files: prefixes.parquet
---
# Frozen prefixes of the seambench run {name}

{count} coding sessions, each frozen at the point where its history would be compacted: `events`
(every message, JSON Lines), `seam` (established facts, finished and open sub-goals), `files`
(the workspace at the seam), `workspace` (the same as tar.gz, for restoring), `task` (the fixture).

    seambench run run.prefixes=<this folder> strategy=...
"""


def export_records(run: RunFolder, kind: str, to: Path) -> Path:
    """Records as parquet, csv or a Hugging Face dataset folder. Returns what was written.

    In parquet nested fields stay nested, as `analysis.columns` reads them; in csv they are JSON.
    """
    import pandas
    import pyarrow.parquet

    from analysis.columns import to_table

    records = run.records()
    if not records:
        raise UserError(f"{run.root}: no records yet")
    to.parent.mkdir(parents=True, exist_ok=True)
    if kind == "csv":
        rows = [_flat(record) for record in records]
        pandas.DataFrame(rows).to_csv(to, index=False, encoding="utf-8")
    elif kind == "parquet":
        pyarrow.parquet.write_table(to_table(records), to, compression="zstd")
    else:
        to.mkdir(exist_ok=True)
        table = to_table(records)
        pyarrow.parquet.write_table(table, to / "records.parquet", compression="zstd")
        simulated = "simulated: the reference worker, not a language model"
        card = RECORDS_CARD.format(
            name=run.name,
            count=len(records),
            simulated=simulated if all(r.get("simulated") for r in records) else "real models",
        )
        (to / "README.md").write_text(card, encoding="utf-8")
        for name in ("lock.json", "config.yaml"):
            (to / name).write_bytes((run.root / name).read_bytes())
    return to


def _flat(record: Record) -> dict[str, Any]:
    nested = {k: v for k, v in record.items() if isinstance(v, dict | list)}
    return {**record, **{k: json.dumps(v, ensure_ascii=False) for k, v in nested.items()}}


def export_prefixes(run: RunFolder, to: Path) -> int:
    """All frozen prefixes of a run as a dataset folder. Returns how many there are."""
    from datasets import Dataset, Features, List, Value, disable_progress_bars

    disable_progress_bars()
    folders = sorted(path.parent for path in (run.root / "prefixes").glob("*/seam.json"))
    if not folders:
        raise UserError(f"{run.root}: no frozen prefixes")
    names = ("key", "task_id", "timing", "prefix_hash", "seam", "events", "task")
    columns: dict[str, Any] = {name: Value("string") for name in names}
    file = {"path": Value("string"), "content": Value("binary")}
    features = Features({**columns, "workspace": Value("binary"), "files": List(file)})
    rows = [_prefix_row(run, folder) for folder in folders]
    to.mkdir(parents=True, exist_ok=True)
    Dataset.from_list(rows, features=features).to_parquet(str(to / "prefixes.parquet"))
    card = PREFIX_CARD.format(name=run.name, count=len(rows))
    (to / "README.md").write_text(card, encoding="utf-8")
    return len(rows)


def _prefix_row(run: RunFolder, folder: Path) -> dict[str, Any]:
    seam = json.loads((folder / "seam.json").read_text(encoding="utf-8"))
    files = [{"path": p, "content": run.blobs.get(sha)} for p, sha in seam["manifest"].items()]
    return {
        "key": seam["key"],
        "task_id": seam["task"],
        "timing": seam["timing"],
        "prefix_hash": seam["prefix_hash"],
        "seam": json.dumps(seam, ensure_ascii=False),
        "events": (folder / "events.jsonl").read_text(encoding="utf-8"),
        "task": run.task(seam["task_hash"]).read_text(encoding="utf-8"),
        "workspace": (folder / "workspace.tar.gz").read_bytes(),
        "files": files,
    }


def export_memory(run: RunFolder, to: Path) -> tuple[int, int]:
    """What long_mem would have stored at the latest seam of each task of a run, as JSON Lines.

    One object a line: task (opaque handle), kind, text, paths. Strategies take it as `prefill`.
    Returns how many items and tasks there are; raises UserError where a run has no prefix.
    """
    latest: dict[str, Frozen] = {}
    for folder in sorted(path.parent for path in (run.root / "prefixes").glob("*/seam.json")):
        frozen = load_prefix(folder)
        task = task_handle(frozen.seam["task_hash"])
        if task not in latest or _later(frozen) > _later(latest[task]):
            latest[task] = frozen
    if not latest:
        raise UserError(f"{run.root}: no frozen prefixes")
    lines = []
    for task, frozen in sorted(latest.items(), key=lambda pair: pair[1].seam["task"]):
        state = extract(Transcript(None, frozen.events).view)
        for item in items_of(state, task, frozen.seam["seam"]["turn"]):
            row = {key: getattr(item, key) for key in ("task", "kind", "text", "paths")}
            lines.append(json.dumps(row, ensure_ascii=False) + "\n")
    to.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(to, "".join(lines).encode("utf-8"))
    return len(lines), len(latest)


def _later(frozen: Frozen) -> tuple[int, str]:
    """Order of seams of a task; the hash decides between draws that are as long."""
    return frozen.seam["seam"]["turn"], frozen.hash


def import_prefixes(source: Path, run: RunFolder, keys: Sequence[str]) -> int:
    """Lay exported prefixes into a run folder, where the plan finds them by key.

    Returns how many of the planned keys there are. Raises UserError where there are none.
    """
    import datasets

    datasets.disable_progress_bars()
    if not (source / "prefixes.parquet").is_file():
        raise UserError(f"run.prefixes: no prefixes.parquet in {source}")
    rows = datasets.load_dataset("parquet", data_files=str(source / "prefixes.parquet"))["train"]
    wanted = set(keys)
    found = 0
    for row in rows:
        if row["key"] not in wanted:
            continue
        found += 1
        for file in row["files"]:
            run.blobs.put(file["content"])
        folder = run.prefix(row["prefix_hash"])
        folder.mkdir(parents=True, exist_ok=True)
        write_atomic(folder / "events.jsonl", row["events"].encode("utf-8"))
        write_atomic(folder / "workspace.tar.gz", row["workspace"])
        write_atomic(folder / "seam.json", row["seam"].encode("utf-8"))
    if not found:
        raise UserError(
            f"run.prefixes: none of the {len(wanted)} planned prefixes is in {source}; "
            "tasks, seams, seed and draws must be those it was exported with"
        )
    return found
