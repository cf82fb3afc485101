"""Draw how time and memory grow: `growth_plot.py ROWS.json... OUT.svg`.

A file of rows is written by growth.py and analysis_scale.py with --rows. The dashed line is growth
in proportion to the smallest size.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path


def main(argv: Sequence[str]) -> int:
    if len(argv) < 2:
        sys.exit(__doc__)
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "seambench"
    from matplotlib import pyplot

    found = [json.loads(Path(name).read_text(encoding="utf-8")) for name in argv[:-1]]
    figure, grid = pyplot.subplots(len(found), 2, figsize=(8, 3.2 * len(found)), squeeze=False)
    for row, told in zip(grid, found, strict=True):
        counts = [count for count, _, _ in told["rows"]]
        for axes, at, name in zip(row, (1, 2), ("seconds", "peak memory, MB"), strict=True):
            values = [entry[at] for entry in told["rows"]]
            line = [values[0] * count / counts[0] for count in counts]
            axes.loglog(counts, line, color="0.6", linestyle="--", label="in proportion")
            axes.loglog(counts, values, color="black", marker="o", label="measured")
            for axis, ticks in ((axes.xaxis, counts), (axes.yaxis, sorted(values))):
                axis.set_ticks(ticks, [f"{tick:,.0f}" for tick in ticks], fontsize=8)
                axis.set_ticks([], minor=True)
            axes.set_xlabel(told["of"])
            axes.set_ylabel(name)
            axes.set_title(told["what"], fontsize=9)
            axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(argv[-1], metadata={"Date": None})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
