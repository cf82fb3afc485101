"""`python -m gatehouse`: the report on one tray."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from gatehouse.report import report
from gatehouse.scripts import LIVE, TrayError, scripts


def main(args: list[str] | None = None) -> int:
    """0 where every script of the tray could be read."""
    parser = argparse.ArgumentParser(prog="gatehouse", description=__doc__)
    parser.add_argument("--tray", type=Path, default=LIVE, help="folder with an index.txt")
    try:
        print(report(scripts(parser.parse_args(args).tray)))
    except TrayError as error:
        print(f"gatehouse: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
