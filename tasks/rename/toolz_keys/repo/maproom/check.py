"""`python -m maproom.check`: go through all reports."""

import importlib
import sys

from maproom.model import sample

REPORTS = (
    "arrivals", "index", "labels", "loans", "recipes", "reminders", "search", "shelves", "slips",
)  # fmt: skip


def main() -> int:
    """0 where every report has lines and could be printed, 1 otherwise."""
    maps, loans = sample()
    bad = 0
    print(f"rows of {len(maps)} maps; text mode utf8={sys.flags.utf8_mode}")
    for name in REPORTS:
        lines = importlib.import_module(f"maproom.{name}").report(maps, loans)
        bad += not lines
        print(f"{name}: {len(lines)} lines, the first: {lines[0] if lines else '-'}")
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
