"""Time and memory of the analysis as records grow: `analysis_scale.py [RECORDS ...]`.

Synthetic records of 200 tasks under six arms are written as parquet, in the form of `seambench
records --to parquet`; for each size a process of its own reads them and makes all frames and
tables. Prints processor seconds (all threads) and peak memory. Exit code 1 where a million
records take 60 s or 4 GB, or time grows by more than 1.3 times as fast as records.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

ARMS = ("bare", "long_mem", "engram", "combined", "full", "empty")
TASKS = 200
MILLION = 1_000_000
AIM_S, AIM_MB, GROWTH = 60, 4096, 1.3


def write(path: Path, count: int) -> int:
    """A study of all arms and bands, with as many repeats as `count` asks for; rows written."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq
    import synthetic

    from analysis.columns import schema, to_table

    base = to_table(synthetic.study(TASKS, arms=ARMS))
    repeats = max(1, round(count / len(base)))
    with pq.ParquetWriter(path, schema(), compression="zstd") as file:
        for repeat in range(repeats):
            # outcomes move from task to task, so that repeats of one task differ
            table = base.take(pa.array(np.roll(np.arange(len(base)), 24 * repeat)))
            for name in ("task", "family", "codebase", "arm", "strategy", "timing"):
                at = table.schema.get_field_index(name)
                table = table.set_column(at, table.field(at), base.column(name))
            for name in ("trial_id", "prefix_hash"):
                texts = pa.array([f"{text}.{repeat}" for text in base.column(name).to_pylist()])
                table = table.set_column(table.schema.get_field_index(name), name, texts)
            number = pa.array(np.full(len(base), repeat))
            table = table.set_column(table.schema.get_field_index("repeat"), "repeat", number)
            file.write_table(table)
    return repeats * len(base)


def analyse(path: Path) -> None:
    """Frames and all tables of one file; prints what each step took."""
    from analysis import columns, frames, report

    began = _told("imports", 0.0)
    f = frames.build(columns.read_parquet(path))
    began = _told("frames", began)
    found = report.effects(f)
    began = _told("effects", began)
    made = report.all_tables(f, found, report.Run(path))
    _told(f"{len(made)} tables", began)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"total {time.process_time():.1f} {peak:.0f}", flush=True)


def _told(what: str, began: float) -> float:
    now = time.process_time()
    print(f"  {what:12} {now - began:6.1f} s", flush=True)
    return now


def main(counts: Sequence[int], keep: Path | None) -> int:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for count in counts:
            path = Path(folder) / f"{count}.parquet"
            written = write(path, count)
            print(f"{written:,} records, {path.stat().st_size / 1e6:,.0f} MB of parquet")
            command = [sys.executable, __file__, "--file", str(path)]
            done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
            print(done.stdout, done.stderr, sep="", end="", flush=True)
            if done.returncode:
                return 1
            seconds, peak = map(float, done.stdout.split()[-2:])
            rows.append((written, seconds, peak))
    if keep:
        told = {"what": "frames and all tables of the analysis", "of": "records", "rows": rows}
        keep.write_text(json.dumps(told), encoding="utf-8")
    return _judge(rows)


def _judge(rows: Sequence[tuple[int, float, float]]) -> int:
    (first, begun, _), (last, seconds, peak) = rows[0], rows[-1]
    per_million = seconds * MILLION / last
    good = last < 0.9 * MILLION or (seconds < AIM_S and peak < AIM_MB)
    if last > first:
        slope = (seconds - begun) / (last - first) * MILLION
        growth = (seconds / begun) / (last / first)
        print(f"{slope:.1f} s for each further million; time grows {growth:.2f} times as fast")
        good = good and growth < GROWTH
    print(f"{last:,} records: {seconds:.1f} s ({per_million:.1f} a million), {peak:,.0f} MB")
    return 0 if good else 1


if __name__ == "__main__":
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given.add_argument("counts", nargs="*", type=int, default=[250_000, 500_000, MILLION])
    given.add_argument("--rows", type=Path, help="file for the figures, for growth_plot.py")
    given.add_argument("--file", type=Path, help="read this file of records alone, in one process")
    args = given.parse_args()
    if args.file:
        analyse(args.file)
    else:
        sys.exit(main(args.counts, args.rows))
