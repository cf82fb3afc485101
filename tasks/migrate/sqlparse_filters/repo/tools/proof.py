"""python tools/proof.py PASS: last year's sample after one pass, to compare with later."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from printshop.pipeline import run_one
from printshop.samples import sample

if __name__ == "__main__":
    print(run_one(import_module(f"printshop.passes.{sys.argv[1]}"), sample("2025")))
