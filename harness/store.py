"""A run folder: configuration, records, prefixes, trials, blobs. Append, flush, rename.

results/<run>/config.yaml lock.json plan.json records.jsonl prefixes/<hash>/
trials/<id>/ blobs/ tasks/
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from harness.errors import UserError
from harness.text import digest
from harness.types import SCHEMA_VERSION, Record, Status

FINAL = (Status.SCORED, Status.UNSCORED, Status.INVALID)
KEPT, KEPT_CHARS = 2048, 32 * 1024
"""Texts of blobs that are kept in memory, none of them longer than so many characters."""


TOGETHER, FEW = 16, 4
"""Blobs that are written and synced at once; fewer than FEW are not worth the threads."""


class Head(NamedTuple):
    """Of a record what a run is planned by; seam: its number within the trial."""

    status: str
    reason: str | None
    strategy: str | None
    seam: int


class Blobs:
    """Content-addressed files: each content once, under its SHA-256."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._texts: dict[str, str] = {}
        self._locks = [threading.Lock() for _ in range(256)]

    def put(self, data: bytes) -> str:
        """Store bytes and return their SHA-256 (hex)."""
        sha = digest(data)
        path = self._path(sha)
        with self._locks[int(sha[:2], 16)]:  # equal files of one turn are written once
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                write_atomic(path, data)
        return sha

    def put_all(self, names: Iterable[str], read: Callable[[str], bytes]) -> dict[str, str]:
        """Store what `read` gives for each name: name -> SHA-256.

        New ones side by side, in threads: a disk syncs together what comes together.
        """
        found = {name: digest(read(name)) for name in names}
        new = [name for name, sha in found.items() if not self._path(sha).exists()]

        def put(name: str) -> str:
            return self.put(read(name))

        if len(new) < FEW:
            return found | {name: put(name) for name in new}
        with ThreadPoolExecutor(TOGETHER) as pool:
            return found | dict(zip(new, pool.map(put, new), strict=True))

    def get(self, sha: str) -> bytes:
        """The bytes of a SHA-256. Raises UserError where the blob is missing."""
        try:
            return self._path(sha).read_bytes()
        except OSError as error:
            raise UserError(f"{self._path(sha)}: cannot be read: {error.strerror}") from None

    def text(self, sha: str) -> str:
        """The same as text; bytes that are not UTF-8 are replaced."""
        text = self._texts.get(sha)
        if text is None:
            text = self.get(sha).decode("utf-8", "replace")
            if len(text) <= KEPT_CHARS:
                if len(self._texts) >= KEPT:
                    self._texts.clear()
                self._texts[sha] = text
        return text

    def _path(self, sha: str) -> Path:
        return self.folder / sha[:2] / sha


class RunFolder:
    """Paths and records of one run."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.blobs = Blobs(root / "blobs")
        self.records_path = root / "records.jsonl"

    @property
    def name(self) -> str:
        return self.root.name

    def open(self, config: Mapping[str, Any], config_yaml: str) -> None:
        """Make the folder, or check that it holds a run of this very configuration.

        Raises UserError naming every differing field, or where the folder cannot be written.
        """
        lock = self.root / "lock.json"
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            if lock.exists():
                _refuse_difference(json.loads(lock.read_text(encoding="utf-8")), config, self.root)
                return
            write_atomic(self.root / "config.yaml", config_yaml.encode("utf-8"))
            text = json.dumps(config, ensure_ascii=False, indent=1, sort_keys=True)
            write_atomic(lock, text.encode("utf-8"))
        except OSError as error:
            raise UserError(f"{self.root}: cannot be written: {error.strerror}") from None

    def write_plan(self, planned: Mapping[str, int]) -> None:
        """Note how many trials are planned per arm: the denominator of the flow table."""
        text = json.dumps(planned, ensure_ascii=False, indent=1)
        write_atomic(self.root / "plan.json", text.encode("utf-8"))

    def planned(self) -> dict[str, int] | None:
        """Planned trials per arm, None where the run was never planned here."""
        path = self.root / "plan.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None

    def write_command(self, overrides: Sequence[str]) -> None:
        """Note the overrides with which the run was started, for `resume`."""
        text = json.dumps(list(overrides), ensure_ascii=False)
        write_atomic(self.root / "command.json", text.encode("utf-8"))

    def command(self) -> list[str]:
        """The overrides with which the run was started."""
        path = self.root / "command.json"
        if not path.is_file():
            raise UserError(f"{path}: missing; give the run's own arguments to `seambench run`")
        return json.loads(path.read_text(encoding="utf-8"))

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder against a second runner. Raises UserError where one is at work."""
        with (self.root / ".runner").open("w", encoding="utf-8") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise UserError(f"{self.root}: another runner is at work in this folder") from None
            yield

    def records(self) -> list[Record]:
        """The newest record of every trial, in order of first appearance."""
        newest: dict[str, Record] = {}
        for _, record in scan(self.records_path):
            newest[record["trial_id"]] = record
        return list(newest.values())

    def heads(self) -> dict[str, Head]:
        """Of every trial's newest record what a run is planned by; the rest is not kept."""
        newest: dict[str, Head] = {}
        for _, record in scan(self.records_path):
            seam = (record.get("seam") or {}).get("index", 1)
            told = record["status"], record.get("reason"), record.get("strategy")
            newest[record["trial_id"]] = Head(*told, seam)
        return newest

    def find(self, beginning: str) -> Iterator[Record]:
        """Records whose trial id begins so, in order. Other lines are not even parsed."""
        wanted = re.compile(rb'"trial_id"\s*:\s*' + re.escape(f'"{beginning}'.encode()))
        for _, record in scan(self.records_path, wanted):
            if record["trial_id"].startswith(beginning):
                yield record

    def append(self, record: Record) -> None:
        """Add one record; it is on disk when this returns. A torn last line is cut off first.

        Processes of one run may append at the same time.
        """
        line = json.dumps(record, ensure_ascii=False) + "\n"
        with self.records_path.open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            _cut_torn_line(file)
            file.write(line.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())

    def sort_records(self, order: Sequence[str]) -> None:
        """Rewrite the finished run's records in the order of the plan, one per trial."""
        place = {trial_id: number for number, trial_id in enumerate(order)}
        newest = {record["trial_id"]: line for line, record in scan(self.records_path)}
        names = sorted(newest, key=lambda name: place.get(name, len(place)))
        write_atomic(self.records_path, b"".join(newest[name] for name in names))

    def trial(self, trial_id: str) -> Path:
        return self.root / "trials" / trial_id

    def prefix(self, prefix_hash: str) -> Path:
        return self.root / "prefixes" / prefix_hash

    def task(self, task_hash: str) -> Path:
        return self.root / "tasks" / f"{task_hash}.yaml"


def read_records(path: Path) -> list[Record]:
    """Every record of a records.jsonl, in order; see scan."""
    return [record for _, record in scan(path)]


def scan(path: Path, wanted: re.Pattern[bytes] | None = None) -> Iterator[tuple[bytes, Record]]:
    """Lines of a records.jsonl with their records, in order, one in memory at a time.

    wanted: lines without a match are passed over unread. A torn last line is owed again and left
    out. Raises UserError for damage elsewhere, with the line number, and for records of a newer
    version.
    """
    if not path.exists():
        return
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if line.endswith(b"\n") and (wanted is None or wanted.search(line)):
                yield line, _record(line, f"{path}: line {number}")


def _record(line: bytes, where: str) -> Record:
    try:
        record = json.loads(line)
        version = record["schema_version"]
    except (ValueError, KeyError, TypeError):
        raise UserError(f"{where} is damaged") from None
    if version > SCHEMA_VERSION:
        raise UserError(
            f"{where} has schema version {version}, this program reads up to {SCHEMA_VERSION}; "
            "use a newer seambench"
        )
    return record


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file so that it is there in full or not at all."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".part-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _cut_torn_line(file: Any) -> None:
    size = file.seek(0, os.SEEK_END)
    if size == 0:
        return
    file.seek(size - 1)
    if file.read(1) == b"\n":
        return
    file.seek(0)
    kept = file.read().rfind(b"\n") + 1
    file.truncate(kept)


def _refuse_difference(old: Mapping[str, Any], new: Mapping[str, Any], root: Path) -> None:
    changed = differences(old, json.loads(json.dumps(new)))
    if changed:
        raise UserError(
            f"{root}: holds a run of another configuration ({'; '.join(changed[:8])}); "
            "name another run.name"
        )


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Every field that differs between two JSON values, with both values, by dotted name."""
    before, after = _flat(old), _flat(new)
    fields = sorted(k for k in before.keys() | after.keys() if before.get(k) != after.get(k))
    return [f"{k}: {_told(before.get(k))} there, {_told(after.get(k))} now" for k in fields]


def _told(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:28] + "..." + text[-28:]


def _flat(value: Any, key: str = "") -> dict[str, Any]:
    if not isinstance(value, Mapping):
        return {key: value}
    flat: dict[str, Any] = {}
    for name, part in value.items():
        flat.update(_flat(part, f"{key}.{name}" if key else str(name)))
    return flat
