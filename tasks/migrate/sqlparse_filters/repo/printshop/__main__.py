"""`python -m printshop sample` and `python -m printshop order`."""

from __future__ import annotations

import argparse
import sys

from printshop.pipeline import PASSES, tidy
from printshop.samples import SampleError, sample


def main(args: list[str] | None = None) -> int:
    """0 where there was something to show."""
    parser = argparse.ArgumentParser(prog="printshop", description=__doc__)
    parser.add_argument("what", choices=("sample", "order"))
    if parser.parse_args(args).what == "order":
        print("\n".join(module.__name__.rpartition(".")[2] for module in PASSES))
        return 0
    try:
        print(tidy(sample()))
    except SampleError as error:
        print(f"printshop: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
