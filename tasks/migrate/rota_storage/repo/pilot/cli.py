"""The one command of the pilot: what a plan holds."""

import sys
from pathlib import Path

from rota.storage import load_table, table_kinds


def kinds(plan: Path) -> list[str]:
    """How many things of each kind the plan holds."""
    return [f"{kind} {len(load_table(plan, kind))}" for kind in table_kinds(plan)]


if __name__ == "__main__":
    sys.stdout.write("\n".join(kinds(Path(sys.argv[1]))) + "\n")
