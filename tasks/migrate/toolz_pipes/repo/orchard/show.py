"""`python -m orchard.show wages`: print one report."""

import importlib
import sys

from orchard.ledger import sample


def main(names: list[str]) -> int:
    """0 where every named report was printed, 2 for an unknown name."""
    for name in names:
        try:
            module = importlib.import_module(f"orchard.{name}")
        except ModuleNotFoundError:
            print(f"show: no report {name!r}")
            return 2
        print("\n".join([name, *(f"  {line}" for line in module.report(sample()))]))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
