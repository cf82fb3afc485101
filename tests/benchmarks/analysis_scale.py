"""Time and memory of the analysis over synthetic records: `analysis_scale.py [RECORDS]`.

Prints seconds for making, framing and tabulating, and the peak memory of the process.
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))


def main(count: int) -> None:
    import synthetic

    from analysis import compare, frames, report

    arms = ("bare", "long_mem", "engram", "combined", "full", "empty")
    began = time.perf_counter()
    n_tasks = max(1, count // (len(arms) * len(synthetic.TIMINGS)))
    records = synthetic.study(n_tasks, arms=arms)
    began = _told(f"{len(records)} records made", began)
    f = frames.build(records)
    began = _told("frames", began)
    values = ("continued", "continued_strict")
    found = compare.effects(f, [c for v in values for c in compare.against_base(f, v)])
    began = _told("effects", began)
    report.all_tables(f, found, report.Sources())
    _told("tables", began)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:,.0f} MB")


def _told(what: str, began: float) -> float:
    now = time.perf_counter()
    print(f"{what:24} {now - began:8.1f} s", flush=True)
    return now


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
