"""`python -m orchard.check`: draw every report once and print a line about each."""

import importlib

from orchard.ledger import sample, varieties
from orchard.moved import latest

REPORTS = (
    "bonus", "frost", "intake", "invoices", "labels", "market", "sorting", "tags", "wages",
)  # fmt: skip


def main() -> int:
    """0 where every report has lines, 1 otherwise."""
    season = sample()
    print(f"season of {', '.join(varieties(season))}; entry {latest()}")
    empty = []
    for name in REPORTS:
        lines = importlib.import_module(f"orchard.{name}").report(season)
        print(f"{name}: {len(lines)} lines")
        if not lines:
            empty.append(name)
    return 1 if empty else 0


if __name__ == "__main__":
    raise SystemExit(main())
