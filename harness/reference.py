"""Reference results: a finished run packed to be committed, and the check that a run repeats it."""

from __future__ import annotations

import json
import lzma
import shutil
import tarfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.store import RunFolder, differences, write_atomic
from harness.text import digest

TIMES = ("seconds", "started_at")
"""Fields of a record that no two runs share."""

# Snapshots of workspaces are left out: show and verify need the blobs alone.
PACKED = ("*.json", "config.yaml", "records.jsonl", "tasks/*", "trials/**/*", "blobs/**/*")
PREFIX = ("prefixes/*/events.jsonl", "prefixes/*/seam.json")


def records_digest(records: Iterable[Mapping[str, Any]]) -> str:
    """Digest of records by trial, times and the run's name aside."""
    return digest({record["trial_id"]: _timeless(record) for record in records})


def _timeless(record: Mapping[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in record.items() if k not in (*TIMES, "run_id")}


def pack(run: RunFolder, target: Path) -> str:
    """Write <run>.tar.xz, the report's small files and DIGEST under `target`; the digest."""
    folder = target / run.name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("report.md", "tables", "plots"):
        source = run.root / "report" / name
        copy = shutil.copytree if source.is_dir() else shutil.copy2
        copy(source, folder / name)
    with (
        lzma.open(folder / f"{run.name}.tar.xz", "wb", preset=6) as packed,
        tarfile.open(fileobj=packed, mode="w") as archive,
    ):
        found = {path for glob in (*PACKED, *PREFIX) for path in run.root.glob(glob)}
        for path in sorted(found):
            if path.is_file():
                archive.add(path, f"{run.name}/{path.relative_to(run.root)}", filter=_plain)
    found_digest = records_digest(run.records())
    write_atomic(folder / "DIGEST", f"{found_digest}\n".encode())
    return found_digest


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """Nobody's name and no time of day."""
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mtime = 0
    return member


def compare(run: RunFolder, target: Path) -> list[str]:
    """What differs between a run's records and the packed ones of its name, times aside.

    Raises UserError where there is no reference of that name.
    """
    packed = target / run.name / f"{run.name}.tar.xz"
    if not packed.is_file():
        raise UserError(f"{packed}: there is no reference of that name")
    with tarfile.open(packed, "r:xz") as archive:
        member = archive.extractfile(f"{run.name}/records.jsonl")
        lines = member.read().decode("utf-8").splitlines() if member else []
    then = {r["trial_id"]: _timeless(r) for r in map(json.loads, lines)}
    now = {r["trial_id"]: _timeless(r) for r in map(dict, run.records())}
    told = [f"{name}: only in the reference" for name in then if name not in now]
    told += [f"{name}: only in this run" for name in now if name not in then]
    for name in then.keys() & now.keys():
        fields = differences(then[name], json.loads(json.dumps(now[name])))
        told += [f"{name}: {field}" for field in fields[:3]]
    return sorted(told)
