"""Queries to try the passes on, one file a year."""

from __future__ import annotations

import os
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "data"
CURRENT = "2026"


class SampleError(Exception):
    """The sample of that year cannot be had."""


def sample(year: str | None = None) -> str:
    """The sample of a year, by default of PROOF_YEAR, else of the current one."""
    year = year or os.environ.get("PROOF_YEAR", CURRENT)
    path = DATA / f"sample_{year}.sql"
    if not path.is_file():
        raise SampleError(f"the sample of {year} is under embargo")
    return path.read_text(encoding="utf-8")
